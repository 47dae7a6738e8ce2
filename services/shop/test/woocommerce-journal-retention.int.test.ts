import { message } from '@order-automation/contracts';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { applySteps, step } from './shop';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';

const day = 24 * 60 * 60_000;

describeLanes('shop: woocommerce, what is kept', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
  });
  afterAll(() => shop?.close());

  const completed = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;
  const said = (text: string) => ({ kind: 'add_note', note: text, customer_note: false }) as const;
  const collections = async () => [
    await deps.store.collection<{ _id: string; order_id: number }>('woocommerce_journal'),
    await deps.store.collection<{ _id: string; order_id: number }>('woocommerce_steps'),
  ];
  const kept = async (id: number) =>
    (await Promise.all((await collections()).map((one) => one.find({ order_id: id }).toArray()))).flat();

  test('an erased person is in no result any more, and a repeated step does nothing twice', async () => {
    const id = 1;
    shop.server.putOrder(id, { status: 'processing' });
    const steps = [
      step(`erase-${id}`, id, null, completed, said('Mail to Ada@Example.com was sent.')),
      step(`stay-${id}`, id, null, said('Mail to bob@example.com was sent.')),
    ];
    await applySteps(deps.bus, steps);
    expect(JSON.stringify(await kept(id))).toMatch(/ada@example\.com/i);
    const ask = { email: 'ADA@example.com', customer_id: null };
    expect(await deps.bus.request('shop.person.erase.v1', ask)).toMatchObject({ erased: 1 });
    expect(JSON.stringify(await kept(id))).not.toMatch(/ada@example\.com/i);
    expect(JSON.stringify(await kept(id))).toContain('bob@example.com');
    expect(await deps.bus.request('shop.person.erase.v1', ask)).toMatchObject({ erased: 0 });
    const again = await applySteps(deps.bus, steps);
    expect(again.map(({ kind }) => kind)).toEqual(['repeated', 'repeated']);
    expect(shop.server.notesOf(id).filter(({ note }) => note.startsWith('Mail'))).toHaveLength(2);
  });

  test('results are kept for forty days', async () => {
    const id = 2;
    shop.server.putOrder(id, { status: 'processing' });
    await applySteps(deps.bus, [step(`old-${id}`, id, null, completed, said('note'))]);
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === id && data.to === 'completed'));
    const done = shop.changes.filter(({ data }) => data.order_id === id);
    await deps.bus.publish(doneMessage(done.map((one) => one.id)));
    deps.clock.advance(39 * day);
    shop.server.putOrder(3, { status: 'pending' });
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === 3));
    expect((await kept(id)).length).toBeGreaterThan(1);
    deps.clock.advance(2 * day);
    await waitFor(async () => (await kept(id)).length === 0);
  });

  const doneMessage = (ids: string[]) => {
    const at = new Date(deps.clock.now()).toISOString();
    const rules = { matched: [], rules: [] };
    const events = ids.map((event_id) => ({
      event_id,
      origin: 'shop' as const,
      outcome: 'no_rules' as const,
      order_id: 2,
      at,
      ...rules,
    }));
    return message('evaluation.events-done.v1', { events }, { process_id: 'proc_1', now: deps.clock.now() });
  };
});
