import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recoveredText } from '../../../console/src/overview/recovered';
import { cardKey, startEventList } from '../../../gateway-intake/test/event-list';
import { type Cluster, startCluster } from '../cluster';
import { apiClient, type Client, completePaidOrders, importOrders, newSecrets, payableOrders } from '../product-client';
import { fillDisk } from '../soak/faults';
import { type CardGateway, cardGateway, type Sent } from './gateway';

export type Drill = {
  /** A folder on a small file system of its own, where the data is. */
  readonly disk: string;
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
const payments = 1_000;
/** Milliseconds between two webhooks, of the pause, and until everything must be here and done after the last gap. */
const pace = 40;
const hour = 3_600_000;
const longest = 330_000;
/** Of so many payments one is for an order that the shop does not have, and one has not the amount of its order. */
const oddEvery = 50;
const isLost = (order: number): boolean => order % oddEvery === 7;
const isWrong = (order: number): boolean => order % oddEvery === 31;
const amountOf = (order: number): number => (isWrong(order) ? 5_900 : 4_900);

/** An afternoon of a shop: 1,000 payments while the process is killed, paused and away for an hour, its disk full, and the gateway's secret another one. */
export async function runDrill({ disk, logFile, onProgress }: Drill): Promise<Report> {
  const secrets = newSecrets();
  const list = await startEventList();
  const settings = { LICENCE_KEY: 'demo', DEMO_SHOP: 'false', LOG_LEVEL: 'warn', OPS_PORT: '0', PORT: '0' };
  const env = { ...secrets.env, ...settings, DATA_DIR: join(disk, 'data'), GATEWAY_CARD_API: list.url };
  const cluster = await startCluster(['embedded'], { env, log: openSync(logFile, 'a') });
  const port = () => cluster.edges()[0];
  const gateway = cardGateway({ list, port, secret: secrets.cardSecret });
  const client: Client = (method, path, body) => apiClient(port() ?? 0, secrets)(method, path, body);
  try {
    await setUp(client);
    await suffer({ cluster, client, gateway, disk, onProgress });
    const since = performance.now();
    const recovered = await untilAllIsHere(client, gateway);
    const found = (performance.now() - since) / 1_000;
    const overview = recovered.map((one) => recoveredText(one, gateway.now(), 'UTC')).join('\n');
    return { wrong: await wrongOf(client, gateway.sent), overview, found };
  } finally {
    await cluster.stop();
    list.close();
  }
}

async function setUp(client: Client): Promise<void> {
  await importOrders(
    client,
    payableOrders(firstOrder, payments).filter(({ id }) => !isLost(id as number)),
  );
  await completePaidOrders(client);
  await client('PUT', '/v1/webhooks/gateways/gateway_card/source', { key: cardKey });
}

type World = Pick<Drill, 'disk' | 'onProgress'> & {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly gateway: CardGateway;
};

/** Every payment is sent once, a share of them in each trouble. */
async function suffer({ cluster, client, gateway, disk, onProgress }: World): Promise<void> {
  const [process] = cluster.instances();
  if (!process) throw new Error('nothing runs');
  let next = firstOrder;
  const share = (count: number) => Array.from({ length: count }, () => next++);
  const pay = (count: number, step = 0) => gateway.pay(share(count), { pace: step > 0 ? 0 : pace, step, amountOf });

  onProgress('killed three times');
  for (let kill = 0; kill < 3; kill += 1) {
    await pay(50);
    await Promise.all([cluster.replace(process, 'kill'), pay(50)]);
  }
  onProgress('paused, and away for an hour');
  await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: true });
  await pay(100);
  await process.product.stop();
  await pay(100, hour / 100);
  const preload = `--require ${join(__dirname, 'clock-ahead.cjs')}`;
  await cluster.replace(process, 'stop', { NODE_OPTIONS: preload, CLOCK_AHEAD: String(gateway.clock.ahead) });
  await client('PUT', '/v1/webhooks/gateways/gateway_card', { paused: false });
  await pay(100);
  onProgress('the disk is full');
  await Promise.all([fillDisk(disk), delay(500).then(() => pay(150))]);
  onProgress('the gateway has a new secret, which nobody has entered here');
  gateway.signing.secret = 'whsec_made_by_the_gateway_0123456789';
  await pay(150);
  const { secret } = gateway.signing;
  await client('POST', '/v1/webhooks/gateways/gateway_card/secrets', { secret, include_environment: true });
  await pay(firstOrder + payments - next);
  const became = (fate: Sent['fate']) => `${gateway.sent.filter((one) => one.fate === fate).length} ${fate}`;
  onProgress(`of ${gateway.sent.length}: ${became('accepted')}, ${became('refused')}, ${became('unheard')}`);
}

/** Resolves with what the overview says was recovered, once nothing that was sent is missing and nothing is open. */
async function untilAllIsHere(client: Client, { sent }: CardGateway): Promise<readonly Recovered[]> {
  const last = Math.max(...sent.filter(({ fate }) => fate !== 'accepted').map(({ created }) => created));
  for (const end = performance.now() + longest; ; await delay(1_000)) {
    const overview = await client<{ recovered: Recovered[]; events: { unfinished: { total: number } } }>(
      'GET',
      '/v1/overview',
    );
    const isAsked = overview.recovered.some(
      ({ asking, asked_until }) => !asking && Date.parse(asked_until ?? '') > last,
    );
    const isEnd = isAsked && overview.events.unfinished.total === 0;
    if (isEnd || performance.now() > end) return overview.recovered;
  }
}

async function wrongOf(client: Client, sent: readonly Sent[]): Promise<string[]> {
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
