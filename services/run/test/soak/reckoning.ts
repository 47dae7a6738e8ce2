import type { OpenEvidence } from '../evidence';
import type { LedgerLine } from '../kill-harness';
import type { Client } from '../product-client';

type Event = { readonly state: string; readonly transaction_id: string | null; readonly reason: string | null };
type Delivery = { readonly state: string; readonly order_id: number | null; readonly reason: string | null };
type Listed = { readonly pagination: { readonly total: number } };
type Overview = {
  readonly dead_letters: { readonly total: number | null };
  readonly deliveries: { readonly pending: number; readonly stuck: { readonly total: number } } | null;
  readonly events: {
    readonly unfinished: { readonly total: number };
    readonly waiting: number;
    readonly held: { readonly total: number };
  } | null;
  readonly webhooks_missed: number;
  readonly last_hour: { readonly since: string; readonly actions_done: number } | null;
};
type Bucket = { readonly event_types: readonly { readonly value: string; readonly count: number }[] };

/** Every row of a list of the API, counted by hand from then on. */
async function all<Row>(client: Client, path: string, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client<Record<string, Row[]>>('GET', `${path}per_page=200&page=${page}`);
    const found = answer[name] ?? [];
    rows.push(...found);
    if (found.length < 200) return rows;
  }
}

const tally = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Each sentence says what does not add up; none is a pass. */
export async function reckon(
  client: Client,
  evidence: OpenEvidence,
  ledger: readonly LedgerLine[],
  { initialStock, since, taken }: { initialStock: number; since: Date; taken: ReadonlyMap<string, number> },
): Promise<string[]> {
  const events = await all<Event>(client, '/v1/webhooks/events?', 'events');
  const deliveries = await all<Delivery>(client, '/v1/deliveries?', 'deliveries');
  return [
    ...eventsAddUp(events, ledger),
    ...deliveriesAddUp(deliveries, ledger, taken),
    ...(await stockAddsUp(evidence, ledger, initialStock)),
    ...(await figuresAddUp(client, events, deliveries, since)),
    ...(await overviewAddsUp(client, events, deliveries, since)),
    ...(await evidence.badSeals()),
    ...(await logIsWhole(client)),
  ];
}

function eventsAddUp(events: readonly Event[], ledger: readonly LedgerLine[]): string[] {
  const ends = (event: Event) => event.state === 'done' || (['dead', 'refused'].includes(event.state) && event.reason);
  const byTransaction = tally(events.map(({ transaction_id }) => transaction_id ?? ''));
  const wrong = ledger.filter(({ transaction }) => byTransaction.get(transaction) !== 1);
  return [
    ...events.filter((event) => !ends(event)).map((event) => `event without an end: ${JSON.stringify(event)}`),
    ...wrong.map(({ transaction }) => `${transaction} is ${byTransaction.get(transaction) ?? 0} events`),
    ...(events.length === ledger.length ? [] : [`${ledger.length} acknowledged, ${events.length} events`]),
  ];
}

function deliveriesAddUp(
  deliveries: readonly Delivery[],
  ledger: readonly LedgerLine[],
  taken: ReadonlyMap<string, number>,
): string[] {
  const byOrder = tally(deliveries.map(({ order_id }) => String(order_id)));
  const wrong = ledger.filter(({ order }) => byOrder.get(String(order)) !== 1);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const open = deliveries.filter(({ state, reason }) => state !== 'delivered' && !(state === 'failed' && reason));
  return [
    ...wrong.map(({ order }) => `order ${order} has ${byOrder.get(String(order)) ?? 0} deliveries`),
    ...open.map((delivery) => `delivery without an end: ${JSON.stringify(delivery)}`),
    ...(delivered <= taken.size ? [] : [`${delivered} deliveries, the receiver took ${taken.size} keys`]),
    ...(taken.size <= ledger.length ? [] : [`the receiver took ${taken.size} keys for ${ledger.length} webhooks`]),
  ];
}

/** Paid and completed orders have their items, cancelled ones gave them back. */
async function stockAddsUp(evidence: OpenEvidence, ledger: readonly LedgerLine[], initial: number): Promise<string[]> {
  const { stock, orders } = await evidence.shop();
  const paid = new Set(ledger.map(({ order }) => order));
  const expected = new Map([...stock.keys()].map((id) => [id, initial]));
  for (const { id, status, line_items } of orders)
    for (const { product_id, quantity } of line_items) {
      if (paid.has(id) && status === 'completed') expected.set(product_id, (expected.get(product_id) ?? 0) - quantity);
    }
  const statuses = orders.filter(
    ({ id, status }) => status !== (paid.has(id) ? (id % 5 === 0 ? 'cancelled' : 'completed') : 'pending'),
  );
  return [
    ...statuses.map(({ id, status }) => `order ${id} is ${status}`),
    ...[...expected]
      .filter(([id, count]) => stock.get(id) !== count)
      .map(([id, count]) => `product ${id}: stock ${stock.get(id)}, a recount of orders says ${count}`),
  ];
}

/** The figures as the overview of the console asks for them, against the rows. */
async function figuresAddUp(
  client: Client,
  events: readonly Event[],
  deliveries: readonly Delivery[],
  since: Date,
): Promise<string[]> {
  const from = new Date(Math.floor(since.getTime() / 60_000) * 60_000).toISOString();
  type Entry = { readonly event_type: string; readonly status: string };
  const logged = `/v1/audit-log?view=flat&date_from=${from}&`;
  const isCounted = ({ event_type, status }: Entry) => event_type !== 'action_executed' || status === 'success';
  const shown = (await client<Entry[]>('GET', `/v1/audit-log/export?date_from=${from}`)).filter(isCounted);
  const entries = tally(shown.map(({ event_type }) => event_type));
  const total = async (path: string) => (await client<Listed>('GET', `${path}per_page=1`)).pagination.total;
  const counted = tally(events.map(({ state }) => state));
  const undelivered = deliveries.filter(({ state }) => state === 'failed').length;
  const figures: [string, number, number][] = [];
  for (const state of ['accepted', 'waiting', 'held', 'done'])
    figures.push([state, await total(`/v1/webhooks/events?state=${state}&`), counted.get(state) ?? 0]);
  figures.push(['dead', await total('/v1/webhooks/dead-letters?kind=event&'), counted.get('dead') ?? 0]);
  figures.push(['undelivered', await total('/v1/deliveries?state=failed&'), undelivered]);
  const stats = `/v1/audit-log/stats?by=hour&from=${from}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const { buckets } = await client<{ buckets: Bucket[] }>('GET', stats);
  for (const type of ['webhook_received', 'action_executed', 'action_failed', 'dead_lettered', 'webhook_rejected']) {
    const done = type === 'action_executed' ? 'status=success&' : '';
    figures.push([type, await total(`${logged}event_type=${type}&${done}`), entries.get(type) ?? 0]);
    const inBuckets = buckets.flatMap(({ event_types }) => event_types).filter(({ value }) => value === type);
    const sum = inBuckets.reduce((all, { count }) => all + count, 0);
    figures.push([`${type} of the chart`, sum, entries.get(type) ?? 0]);
  }
  return figures
    .filter(([, shown, byHand]) => shown !== byHand)
    .map(([name, shown, byHand]) => `the overview shows ${shown} ${name}, a count by hand says ${byHand}`);
}

/** Nothing waits, is held or stuck in the end; what was given up and missed is counted by hand from the lists. */
async function overviewAddsUp(
  client: Client,
  events: readonly Event[],
  deliveries: readonly Delivery[],
  since: Date,
): Promise<string[]> {
  const overview = await client<Overview>('GET', '/v1/overview');
  const dead = events.filter(({ state }) => state === 'dead').length;
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  const missed = (await all<object>(client, '/v1/webhooks/missed?', 'missed')).length;
  const { last_hour, events: open, deliveries: queue, dead_letters, webhooks_missed } = overview;
  const figures: [string, number | null | undefined, number][] = [
    ['dead letters', dead_letters.total, dead + failed],
    ['unfinished events', open?.unfinished.total, 0],
    ['waiting events', open?.waiting, 0],
    ['held events', open?.held.total, 0],
    ['pending deliveries', queue?.pending, 0],
    ['stuck deliveries', queue?.stuck.total, 0],
    ['missed webhooks', webhooks_missed, missed],
  ];
  if (last_hour && Date.parse(last_hour.since) <= since.getTime()) {
    const path = `/v1/audit-log?view=flat&date_from=${last_hour.since}&event_type=action_executed&status=success&`;
    figures.push(['actions done', last_hour.actions_done, (await all<object>(client, path, 'logs')).length]);
  }
  return figures
    .filter(([, shown, byHand]) => shown !== byHand)
    .map(([name, shown, byHand]) => `GET /v1/overview has ${shown} ${name}, a count by hand says ${byHand}`);
}

/** On a small database the proof of a long log may take longer than anybody waits for it. */
async function logIsWhole(client: Client): Promise<string[]> {
  const verdict = await client<{ valid: boolean }>('GET', '/v1/audit-log/verify').catch((error: unknown) => ({
    valid: false,
    error: String(error),
  }));
  return verdict.valid ? [] : [`the log is not whole: ${JSON.stringify(verdict)}`];
}
