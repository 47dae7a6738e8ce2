import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { addFunctions } from '@order-automation/store';
import { waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import type { LedgerLine } from './kill-harness';
import type { Product } from './product';
import { apiClient, type Client, importOrders, payableOrders, type Secrets } from './product-client';
import { type Answer, amount, payment, post, postSigned } from './products';

/** Events in every state of a shop in one process, for the tests that move it and that open it with another version. */

export const firstOrder = 30_001;
export const marker = 'paid ';
/** What stands in place of the lines of an order that cannot be read. */
export const damaged = 'damaged';
/** Orders of the rule that fires by the clock. */
export const scheduledOrders = [20_001, 20_002, 20_003];
export const connection = 'warehouse';

/** What becomes of an event, and its share in twentieths. */
const shares = { done: 7, down: 2, refused: 1, waiting: 2, dead: 1, retrying: 1, held: 3, late: 3 } as const;
export type Kind = keyof typeof shares;
const kinds = Object.entries(shares).flatMap(([kind, count]) => Array.from({ length: count }, () => kind as Kind));

export const kindOf = (order: number): Kind => kinds[(order - firstOrder) % kinds.length] ?? 'done';
export const ordersOf = (count: number, ...wanted: Kind[]): number[] =>
  Array.from({ length: count }, (_, index) => firstOrder + index).filter((order) => wanted.includes(kindOf(order)));

export type Call = { readonly order: number; readonly key: string };

/** Somebody who is called: at 127.0.0.1 it answers, at 127.0.0.2 it is down at first, at 127.0.0.3 it takes nothing at first. */
export type Receiver = {
  readonly port: number;
  /** Every call, and those of them that were answered with 200: which order, and under which key. */
  readonly tried: readonly Call[];
  readonly taken: readonly Call[];
  recover(): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const [tried, taken]: [Call[], Call[]] = [[], []];
  const answers = new Map([
    ['127.0.0.2', 503],
    ['127.0.0.3', 422],
  ]);
  const server: Server = createServer((request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    const status = answers.get(host) ?? 200;
    const call = { order: Number(request.url?.slice(1)), key: String(request.headers['idempotency-key']) };
    tried.push(call);
    if (status === 200) taken.push(call);
    request.resume().on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    tried,
    taken,
    recover: () => answers.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type World = {
  readonly dataDir: string;
  start(): Promise<Product>;
  readonly secrets: Secrets;
  readonly receiver: Receiver;
  /** Events; each is about an order of its own. */
  readonly count: number;
};

/** How many events and deliveries are in each state. */
type States = Readonly<Record<'inbox' | 'deliveries', Readonly<Record<string, number>>>>;

/** What a sender was answered. */
export type Sent = LedgerLine & { readonly process_id: string };

const order = (id: number, more: object = {}) => ({
  ...payableOrders(id, 1)[0],
  payment_method: { down: 'to_down', refused: 'to_refused' }[kindOf(id) as string] ?? 'to_up',
  ...more,
});

/** The orders for which the waiting events wait. */
export const missingOrders = (count: number) => ordersOf(count, 'waiting').map((id) => order(id));

/** Imports orders in portions. */
export async function importAll(client: Client, orders: readonly Record<string, unknown>[]): Promise<void> {
  for (let from = 0; from < orders.length; from += 500) await importOrders(client, orders.slice(from, from + 500));
}

/** Fills a shop in one process, and ends the process amid its work. Resolves with what was acknowledged, and the connection's secret. */
export async function fillAndKill(world: World): Promise<{ sent: Sent[]; secret: string }> {
  const { count, dataDir, secrets, start } = world;
  const there = ordersOf(count, 'done', 'down', 'refused', 'dead', 'retrying', 'held', 'late');
  const held = scheduledOrders.map((id) => order(id, { status: 'on-hold' }));
  const first = await start();
  await importAll(apiClient(first.port, secrets), [...there.map((id) => order(id)), ...held]);
  // Stopped meanwhile: the shop remembers orders that it has just written.
  await first.stop();
  damage(dataDir, ordersOf(count, 'dead', 'retrying'));
  const product = await start();
  const client = apiClient(product.port, secrets);
  await makeRules(client, world);
  const body = { name: connection, auth_method: 'hmac' };
  const { secret } = await client<{ secret: string }>('POST', '/v1/webhooks', body);
  await client('PUT', `/v1/webhooks/${connection}`, { paused: true });
  const target = { url: `http://127.0.0.1:${product.port}`, secrets, secret };
  const sent = await sendAll(target, ordersOf(count, 'done', 'down', 'refused', 'waiting', 'dead', 'held'));
  await waitFor(() => isReached(statesOf(dataDir), count), {
    timeout: 120_000 + 60 * count,
    every: 250,
    describe: 'every state',
  });
  sent.push(...(await sendAll(target, ordersOf(count, 'retrying', 'late'))));
  await product.kill();
  return { sent, secret };
}

type Rule = { readonly trigger: object; readonly conditions: readonly object[]; readonly action: object };

async function makeRules(client: Client, { receiver, count }: World): Promise<void> {
  const save = (name: string, { trigger, conditions, action }: Rule) =>
    client('POST', '/v1/rules', {
      name,
      enabled: true,
      rule: { trigger, conditions, primaryAction: null, secondaryActions: [action] },
    });
  const note = (note_text: string) => ({
    id: 'add_order_note',
    settings: { note_text, is_customer_note: false, add_timestamp: false },
  });
  const paid = { id: 'order_processing', settings: {} };
  await save('Note', { trigger: paid, conditions: [], action: note(`${marker}{{event.transaction_id}}`) });
  for (const [index, method] of ['to_up', 'to_down', 'to_refused'].entries()) {
    const url = `http://127.0.0.${index + 1}:${receiver.port}/{{order.number}}`;
    const conditions = [{ id: 'payment_method', settings: { methods: [method] } }];
    await save(`Call ${method}`, { trigger: paid, conditions, action: { id: 'send_webhook', settings: { url } } });
  }
  // Later than everything that happens in the one process.
  const at = new Date(Math.ceil((Date.now() + 45_000 + 20 * count) / 60_000) * 60_000);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
  const trigger = { id: 'schedule', settings: { cron, timezone: 'UTC', order_statuses: ['on-hold'] } };
  await save('By the clock', { trigger, conditions: [], action: note('by the clock') });
}

/**
 * Orders about which nobody was called, or under several keys, or more than once: twice is possible where the process was ended amid the call.
 */
export function calledWrongly({ tried, taken }: Receiver, orders: readonly number[]): number[] {
  const keys = new Map<number, Set<string>>();
  for (const { order, key } of tried) keys.set(order, (keys.get(order) ?? new Set()).add(key));
  const times = new Map<number, number>();
  for (const { order } of taken) times.set(order, (times.get(order) ?? 0) + 1);
  return orders.filter((order) => {
    const most = kindOf(order) === 'late' ? 2 : 1;
    const count = times.get(order) ?? 0;
    return count < 1 || count > most || keys.get(order)?.size !== 1;
  });
}

/** Orders that the shop can no longer read: their lines are `damaged`. */
function damage(dataDir: string, orders: readonly number[]): void {
  const database = new Database(join(dataDir, 'shop.sqlite'), { timeout: 10_000 });
  addFunctions(database);
  const statement = database.prepare(
    "UPDATE orders SET doc = json_set(plain(doc), '$.order.line_items', ?) WHERE id = ?",
  );
  database.transaction(() => orders.forEach((id) => void statement.run(damaged, id)))();
  database.close();
}

/** How many documents of the folder are in each state. */
function statesIn(dataDir: string, service: string, collection: string): Record<string, number> {
  const database = new Database(join(dataDir, `${service}.sqlite`), { readonly: true });
  addFunctions(database);
  const sql = `SELECT json_extract(plain(doc), '$.state') AS state, count(*) AS count FROM ${collection} GROUP BY 1`;
  const rows = database.prepare(sql).all() as { state: string; count: number }[];
  database.close();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

export const statesOf = (dataDir: string): States => ({
  inbox: statesIn(dataDir, 'gateway-intake', 'inbox'),
  deliveries: statesIn(dataDir, 'evaluation', 'deliveries'),
});

function isReached({ inbox, deliveries }: States, count: number): boolean {
  const of = (...some: Kind[]): number => ordersOf(count, ...some).length;
  return (
    inbox.done === of('done', 'down', 'refused') &&
    inbox.waiting === of('waiting') &&
    inbox.dead === of('dead') &&
    inbox.held === of('held') &&
    deliveries.delivered === of('done') &&
    deliveries.pending === of('down') &&
    deliveries.failed === of('refused')
  );
}

type To = { readonly url: string; readonly secrets: Secrets; readonly secret: string };

const keyOf = (id: number): string => `move-${id}`;

/** Sends the webhook of an order: those that are held come from the connection, the others from the card gateway. */
export async function send(to: To, id: number): Promise<Answer> {
  if (kindOf(id) !== 'held') return postSigned(to, payment(keyOf(id), id));
  const paid = { event: 'payment_completed', id: keyOf(id), order_id: id, transaction_id: `pi_${keyOf(id)}` };
  const body = JSON.stringify({ ...paid, amount: amount.text, currency: amount.currency });
  const headers = { 'x-signature': createHmac('sha256', to.secret).update(body).digest('hex') };
  return (await post(to.url, { gateway: `generic/${connection}`, body, headers })).answer;
}

async function sendAll(to: To, orders: readonly number[]): Promise<Sent[]> {
  const [sent, left]: [Sent[], number[]] = [[], [...orders]];
  const sender = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const { success, process_id } = await send(to, id);
      if (success) sent.push({ transaction: `pi_${keyOf(id)}`, order: id, process_id });
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  return sent;
}
