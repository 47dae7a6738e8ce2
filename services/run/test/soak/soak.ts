import { openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../cluster';
import type { OpenEvidence } from '../evidence';
import { untilDone } from '../kill-harness';
import type { NatsServer } from '../nats-server';
import { apiClient, type Client, importOrders, importRecords, newSecrets, payableOrders } from '../product-client';
import { type Fault, faultsOf } from './faults';
import { type Receiver, startReceiver } from './receiver';
import { reckon } from './reckoning';
import { startTraffic } from './traffic';

export type Soak = {
  /** Services to start, each as often as it is named, or `embedded`. */
  readonly services: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly minutes: number;
  /** Webhooks a second. */
  readonly rate: number;
  /** A file for the logs of the product. */
  readonly logFile: string;
  readonly disk?: string;
  readonly nats?: NatsServer;
  openEvidence(): Promise<OpenEvidence>;
  readonly onProgress: (text: string) => void;
};

const firstOrder = 7_001;
const initialStock = 1_000_000;
const marker = 'soaked ';
/** Milliseconds between two faults, and until everything must be done after the last. */
const pause = 5_000;
const drainTimeout = 300_000;

/** Webhooks arrive while one fault follows the other. Resolves with what does not add up in the end: nothing, when all is well. */
export async function runSoak(soak: Soak): Promise<string[]> {
  const secrets = newSecrets();
  const receiver = await startReceiver();
  const quiet = {
    LICENCE_KEY: 'demo',
    DEMO_SHOP: 'false',
    LOG_LEVEL: 'warn',
    OPS_PORT: '0',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  const env = { ...secrets.env, ...quiet, PORT: '0', ...soak.env };
  const cluster = await startCluster(soak.services, { env, log: openSync(soak.logFile, 'a') });
  const since = new Date();
  const client = patiently((method, path, body) => apiClient(cluster.edges()[0] ?? 0, secrets)(method, path, body));
  const evidence = await soak.openEvidence();
  try {
    const orders = Array.from({ length: Math.ceil(soak.minutes * 60 * soak.rate * 1.2) }, (_, at) => firstOrder + at);
    await setUp(client, receiver, orders);
    const traffic = startTraffic(cluster, secrets, orders, soak.rate);
    const { SECRET_KEY: secretKey = '' } = secrets.env;
    await injectFaults(faultsOf({ ...soak, cluster, client, receiver, secretKey }), soak);
    const ledger = await traffic.stop();
    soak.onProgress(`${ledger.length} acknowledged ${JSON.stringify(traffic.counts)}; waiting for the end of all`);
    await whileLessIsOpen(evidence, soak.onProgress);
    const test = { evidence, firstOrder, orders: orders.length, drainTimeout };
    const verdict = await untilDone(test, ledger, marker, performance.now());
    await untilDelivered(client);
    const repeated = [...receiver.taken.values()].filter((times) => times > 1).length;
    soak.onProgress(`${receiver.taken.size} calls taken by the receiver, ${repeated} of them more than once`);
    const wrong = await reckon(client, evidence, ledger, { initialStock, since, taken: receiver.taken });
    const effects = Object.entries(verdict).filter(([, found]) => (Array.isArray(found) ? found.length : found) !== 0);
    return [...effects.map(([name, found]) => `${name}: ${JSON.stringify(found).slice(0, 500)}`), ...wrong];
  } finally {
    await evidence.close();
    await cluster.stop();
    receiver.close();
  }
}

/** Ports change when edges are restarted, and a connection that was kept may be one that the other side has closed. */
function patiently(ask: Client): Client {
  return async (method, path, body) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(method, path, body);
      } catch (error) {
        if (!(error instanceof TypeError) || tries === 10) throw error;
        await delay(1_000);
      }
    }
  };
}

async function setUp(client: Client, receiver: Receiver, ids: readonly number[]): Promise<void> {
  const products = [1, 2].map((id) => ({ id, name: `Thing ${id}`, manage_stock: true, stock_quantity: initialStock }));
  await importRecords(client, 'product', products);
  const orders = payableOrders(ids[0] ?? 0, ids.length).map((order, index) => ({
    ...order,
    billing: { country: (firstOrder + index) % 5 === 0 ? 'DE' : 'US', email: 'ada@customer.example' },
    line_items: [{ id: 1, name: 'A thing', product_id: 1 + (index % 2), quantity: 1 + (index % 3), total: '49.00' }],
  }));
  for (let at = 0; at < orders.length; at += 1_000) await importOrders(client, orders.slice(at, at + 1_000));
  const note = { note_text: `${marker}{{event.transaction_id}}`, is_customer_note: false, add_timestamp: false };
  const ends = { US: 'change_status_to_completed', DE: 'change_status_to_cancelled' };
  for (const [country, status] of Object.entries(ends))
    await client('POST', '/v1/rules', {
      name: `Orders from ${country}`,
      enabled: true,
      rule: {
        trigger: { id: 'order_processing', settings: {} },
        conditions: [{ id: 'country', settings: { countries: [country] } }],
        primaryAction: { id: status, settings: { send_emails: false, update_stock: true } },
        secondaryActions: [
          { id: 'add_order_note', settings: note },
          { id: 'send_webhook', settings: { url: receiver.url } },
        ],
      },
    });
}

/** Each at least once, and those that may come again until the time is over. */
async function injectFaults(faults: readonly Fault[], { minutes, onProgress }: Soak): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  for (let round = 0; performance.now() < end; round += 1)
    for (const { name, once, inject } of faults) {
      if (round > 0 && (once || performance.now() > end)) continue;
      onProgress(name);
      await inject();
      await delay(pause);
    }
}

/** A small database has a backlog after hours of faults: it is waited for as long as it becomes smaller. */
async function whileLessIsOpen(evidence: Pick<OpenEvidence, 'open'>, onProgress: Soak['onProgress']): Promise<void> {
  let [least, at] = [Number.POSITIVE_INFINITY, performance.now()];
  for (let told = at; performance.now() - at < drainTimeout; await delay(2_000)) {
    const open = await evidence.open();
    if (open === 0) return;
    if (open < least) [least, at] = [open, performance.now()];
    if (performance.now() - told < 60_000) continue;
    told = performance.now();
    onProgress(`${open} events open`);
  }
}

async function untilDelivered(client: Client): Promise<void> {
  const end = performance.now() + drainTimeout;
  for (;;) {
    const path = '/v1/deliveries?state=pending&per_page=1';
    const { pagination } = await client<{ pagination: { total: number } }>('GET', path);
    if (pagination.total === 0 || performance.now() > end) return;
    await delay(500);
  }
}
