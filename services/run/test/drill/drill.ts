import { openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { recoveredText } from '../../../console/src/overview/recovered';
import { cardKey, startEventList } from '../../../gateway-intake/test/event-list';
import type { ProductOptions } from '../product';
import { apiClient, type Client, completePaidOrders, importOrders, newSecrets, payableOrders } from '../product-client';
import { type CardGateway, cardGateway, type Sent } from './gateway';
import type { Subject } from './subjects';

export type Drill = {
  startSubject(options: ProductOptions): Promise<Subject>;
  /** How many; at least 100. */
  readonly payments: number;
  readonly logFile: string;
  readonly onProgress: (text: string) => void;
};

export type Report = {
  /** What does not add up; nothing, when each payment is done once or named with its reason. */
  readonly wrong: readonly string[];
  /** What the overview says. */
  readonly overview: string;
  /** Seconds from the last gap until everything that it swallowed was taken up. */
  readonly found: number;
};

type Event = {
  readonly transaction_id: string | null;
  readonly state: string;
  readonly outcome: string | null;
  readonly waiting_for: string | null;
};
type Order = { readonly status: string; readonly notes: readonly { readonly note: string }[] };
type Recovered = Parameters<typeof recoveredText>[0];

const firstOrder = 7_001;
/** Milliseconds between two webhooks, of the pause, and until everything must be here after the last gap. */
const pace = 40;
const hour = 3_600_000;
const longest = 330_000;
/** Of so many payments one is for an order that the shop does not have, and one has not the amount of its order. */
const oddEvery = 50;
const isLost = (order: number): boolean => order % oddEvery === 7;
const isWrong = (order: number): boolean => order % oddEvery === 31;
const amountOf = (order: number): number => (isWrong(order) ? 5_900 : 4_900);

/** An afternoon of a shop: payments while processes are killed, paused and away for an hour, what they need away or full, and the gateway's secret another one. */
export async function runDrill({ startSubject, payments, logFile, onProgress }: Drill): Promise<Report> {
  const secrets = newSecrets();
  const list = await startEventList();
  const settings = { LICENCE_KEY: 'demo', DEMO_SHOP: 'false', LOG_LEVEL: 'warn', OPS_PORT: '0' };
  const env = { ...secrets.env, ...settings, GATEWAY_CARD_API: list.url };
  const subject = await startSubject({ env, log: openSync(logFile, 'a') });
  const gateway = cardGateway({ list, port: subject.port, secret: secrets.cardSecret });
  const client = apiClient(subject.port, secrets);
  let wrong: readonly string[] | undefined;
  try {
    await setUp(client, payments);
    await suffer({ subject, client, gateway, payments, onProgress });
    const since = performance.now();
    const recovered = await untilAllIsHere(client, gateway);
    const found = (performance.now() - since) / 1_000;
    const overview = recovered.map((one) => recoveredText(one, gateway.now(), 'UTC')).join('\n');
    wrong = await wrongOf(client, gateway.sent, payments);
    return { wrong, overview, found };
  } finally {
    await subject.close(wrong?.length !== 0);
    list.close();
  }
}

async function setUp(client: Client, payments: number): Promise<void> {
  await importOrders(
    client,
    payableOrders(firstOrder, payments).filter(({ id }) => !isLost(id as number)),
  );
  await completePaidOrders(client);
  await client('PUT', '/v1/webhooks/gateways/gateway_card/source', { key: cardKey });
}

type World = Pick<Drill, 'payments' | 'onProgress'> & {
  readonly subject: Subject;
  readonly client: Client;
  readonly gateway: CardGateway;
};

/** Every payment is sent once, a share of them in each trouble. */
async function suffer({ subject, client, gateway, payments, onProgress }: World): Promise<void> {
  let next = firstOrder;
  const share = (part: number) => Array.from({ length: Math.round(part * payments) }, () => next++);
  const pay = (part: number, step = 0) => gateway.pay(share(part), { pace: step > 0 ? 0 : pace, step, amountOf });

  for (const { name, strike } of subject.killed) {
    onProgress(`killed: ${name}`);
    await pay(0.05);
    await Promise.all([strike(), pay(0.05)]);
  }
  onProgress('paused, and away for an hour');
  await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: true });
  await pay(0.1);
  await subject.stop();
  await pay(0.1, hour / (0.1 * payments));
  await subject.start(gateway.clock.ahead);
  await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: false });
  await pay(0.1);
  for (const { name, strike } of subject.away) {
    onProgress(name);
    await Promise.all([strike(), delay(500).then(() => pay(0.15 / subject.away.length))]);
  }
  onProgress('the gateway has a new secret, which nobody has entered here');
  gateway.signing.secret = 'whsec_made_by_the_gateway_0123456789';
  await pay(0.15);
  const { secret } = gateway.signing;
  await client('POST', '/v1/webhooks/gateways/gateway_card/secrets', { secret, include_environment: true });
  await pay(1 - (next - firstOrder) / payments);
  const became = (fate: Sent['fate']) => `${gateway.sent.filter((one) => one.fate === fate).length} ${fate}`;
  onProgress(`of ${gateway.sent.length}: ${became('accepted')}, ${became('refused')}, ${became('unheard')}`);
}

type Overview = {
  readonly recovered: readonly Recovered[];
  /** Null while intake does not answer. */
  readonly events: { readonly unfinished: { readonly total: number } } | null;
};

const noAnswer: Overview = { recovered: [], events: null };

/**
 * Resolves with what the overview says was recovered, once nothing that was sent is missing and nothing is open. A small database has a backlog after it
 * was away: it is waited for as long as it becomes smaller.
 */
async function untilAllIsHere(client: Client, { sent }: CardGateway): Promise<readonly Recovered[]> {
  const last = Math.max(...sent.filter(({ fate }) => fate !== 'accepted').map(({ created }) => created));
  const isUpTo = ({ asking, asked_until }: Recovered) => !asking && Date.parse(asked_until ?? '') > last;
  let least = Number.POSITIVE_INFINITY;
  for (let end = performance.now() + longest; ; await delay(1_000)) {
    const { recovered, events } = await client<Overview>('GET', '/v1/overview').catch(() => noAnswer);
    const open = events?.unfinished.total ?? Number.POSITIVE_INFINITY;
    const isAsked = recovered.some(isUpTo);
    if ((isAsked && open === 0) || performance.now() > end) return recovered;
    if (isAsked && open < least) [least, end] = [open, performance.now() + longest];
  }
}

async function wrongOf(client: Client, sent: readonly Sent[], payments: number): Promise<string[]> {
  const events: Event[] = [];
  for (let page = 1; events.length === (page - 1) * 200; page += 1)
    events.push(...(await client<{ events: Event[] }>('GET', `/v1/webhooks/events?per_page=200&page=${page}`)).events);
  const wrong = sent.length === payments ? [] : [`${sent.length} payments were sent`];
  for (const { transaction, order, fate } of sent) {
    const [event, ...more] = events.filter(({ transaction_id }) => transaction_id === transaction);
    const said = `${transaction} (${fate})`;
    if (!event || more.length > 0) wrong.push(`${said} is ${event ? more.length + 1 : 0} events`);
    else if (isLost(order)) {
      if (event.state !== 'waiting' || !event.waiting_for) wrong.push(`${said} does not wait for its order`);
    } else wrong.push(...(await wrongOfOrder(client, order, event)).map((text) => `${said}: ${text}`));
  }
  return wrong;
}

async function wrongOfOrder(client: Client, order: number, { state, outcome }: Event): Promise<string[]> {
  const { status, notes } = await client<Order>('GET', `/v1/shop/orders/${order}`);
  const paid = notes.filter(({ note }) => note === 'paid').length;
  const [ended, expected, often] = isWrong(order) ? ['amount_mismatch', 'pending', 0] : ['success', 'completed', 1];
  const isRight = state === 'done' && outcome === ended && status === expected && paid === often;
  return isRight ? [] : [`${state}, ${outcome}, order ${order} is ${status}, noted ${paid} times`];
}
