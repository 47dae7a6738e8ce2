import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SettableClock, waitFor } from '@order-automation/testing';
import { wooCommerceSettings } from '../../../shop/test/woocommerce';
import { startWooCommerce, type WooCommerceServer } from '../../../shop/test/woocommerce-server';
import { fieldsOf } from './lives';
import type { OpenShop, Product, YearShop } from './shop';

export type Site = { readonly zone: string; readonly tables: 'new' | 'old' };

const secret = 'webhooks-of-the-shop-0123456789';
const topics = ['order.created', 'order.updated', 'order.deleted'];
/** Longer than the time between two looks for what was modified. */
const betweenLooks = 61_000;

/**
 * A WooCommerce shop: its checkout, plugins and clerks change orders there, and the product hears of it by the shop's webhooks, or where those are off by
 * looking. `isHeard`: it begins with webhooks.
 */
export function wooCommerceShop(site: Site, isHeard: boolean): (clock: SettableClock) => Promise<YearShop> {
  return async (clock) => {
    const server = await startWooCommerce({ site, now: clock.now });
    return {
      settings: { ...wooCommerceSettings(server), shopUrl: 'https://shop.example' },
      env: { GATEWAY_SHOP_SECRETS: secret },
      open: (product) => open(server, clock, product, isHeard),
    };
  };
}

async function open(
  server: WooCommerceServer,
  clock: SettableClock,
  product: Product,
  isHeard: boolean,
): Promise<OpenShop> {
  const receiver = await openReceiver(product);
  for (const [index, topic] of topics.entries())
    server.webhooks.push({
      ...{ id: index + 1, name: topic, topic, status: isHeard ? 'active' : 'paused', secret },
      delivery_url: receiver.url,
    });
  /** The status of which the product has told last, by order. */
  const told = new Map<number, string>();
  const known = new Set<string>();
  await product.world.bus.subscribe('shop.order-changed.v1', 'year', async (messages) => {
    for (const { data } of messages) {
      // The shop publishes each until evaluation has seen it through.
      const isNew = !known.has(data.change_id);
      known.add(data.change_id);
      if (isNew && data.kind !== 'identified') told.set(data.order_id, data.to);
    }
  });
  const isTold = (): boolean =>
    [...server.orders.values()].every(
      ({ id, status }) => ['checkout-draft', 'trash'].includes(status) || told.get(id) === status,
    );
  const untold = (): string =>
    [...server.orders.values()]
      .filter(({ id, status }) => told.get(id) !== status)
      .map(({ id, status }) => `${id} ${told.get(id)} ${status}`)
      .join(', ');
  const look = async (): Promise<void> => {
    const looks = (): number => server.calls.filter(({ query }) => query.has('modified_after')).length;
    const before = looks();
    clock.advance(betweenLooks);
    await waitFor(() => looks() > before, { timeout: 30_000, describe: 'a look for what was modified' });
  };
  /** A look that failed, or that was nearly over, is made up for by the next one. */
  const isFound = async (): Promise<void> => {
    for (let looks = 1; !isTold(); looks += 1) {
      await look();
      await waitFor(isTold, { timeout: 2_000 }).catch(() => {
        if (looks === 12) throw new Error(`nobody was told of ${untold()}`);
      });
    }
  };

  return {
    create: async (order) => {
      server.putOrder(order.id, fieldsOf(order));
    },
    save: async (id, { status, ...fields }) => {
      if (status === 'trash') server.trash(id);
      // As a payment plugin does: WC_Order::payment_complete.
      else if (status === 'processing') server.putOrder(id, { set_paid: true, ...fields });
      else server.putOrder(id, status === undefined ? fields : { status, ...fields });
    },
    tell: async () => {
      const isNews = server.due.length > 0;
      await server.deliver();
      if (isHeard) await waitFor(isTold, { timeout: 60_000 }).catch(() => Promise.reject(new Error(untold())));
      else await isFound();
      return isNews;
    },
    turn: async () => {
      isHeard = !isHeard;
      for (const webhook of server.webhooks) webhook.status = isHeard ? 'active' : 'paused';
    },
    // When the second look begins the first is over.
    last: async () => {
      await look();
      await look();
    },
    order: async (id) => ({
      status: server.orders.get(id)?.status ?? 'none',
      notes: server.notesOf(id).map(({ note }) => note.split('\n')[0] ?? ''),
      moves: server.transitions.filter(({ order_id }) => order_id === id).map(({ to }) => to),
    }),
    close: async () => {
      await server.close();
      await receiver.close();
    },
  };
}

/** Where the webhooks of the shop arrive. */
async function openReceiver({ deliver }: Product) {
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat()]),
    );
    const isTaken = await deliver(headers, Buffer.concat(chunks).toString()).catch(() => false);
    response.writeHead(isTaken ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/webhooks/gateway_shop`,
    close: async () => {
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
