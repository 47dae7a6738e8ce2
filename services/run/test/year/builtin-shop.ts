import { waitFor } from '@order-automation/testing';
import { fieldsOf } from './lives';
import type { YearShop } from './shop';

const slow = { timeout: 60_000 };
const cause = { process_id: 'proc_setup', depth: 0, author: 'admin' } as const;

/** The product's own shop, which knows at once what happens in it. */
export async function builtinShop(): Promise<YearShop> {
  return {
    settings: {},
    env: {},
    open: async ({ world, changesOf }) => ({
      create: (order) => world.createOrder(order.id, fieldsOf(order)),
      save: async (id, fields) => {
        const statusNow = async () => (await world.order(id)).status;
        const [before, heard] = [await statusNow(), changesOf(id)];
        await world.bus.request('shop.order.save.v1', { id, fields, cause }, slow);
        if ((await statusNow()) !== before) await waitFor(() => changesOf(id) > heard, slow);
      },
      tell: async () => false,
      turn: async () => undefined,
      last: async () => undefined,
      order: async (id) => {
        const { status, notes } = await world.order(id);
        return { status, notes: notes.map(({ note }) => note), moves: null };
      },
      close: async () => undefined,
    }),
  };
}
