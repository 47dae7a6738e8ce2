import { randomBytes } from 'node:crypto';
import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { searchSources } from '@order-automation/contracts';
import { dropNamespace } from '@order-automation/testing';
import { type Product, startDistributed, startEmbedded } from '../services/run/test/product';
import { apiClient, type Client, newSecrets, type Secrets } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { percentile, table } from './table';

const help = `npm run bench:catalogue -- [--rules 10000] [--products 100000] [--orders 100000] [--rounds 40]
Fills a product by its own routes and prints what an administrator waits for, p50 and p95 in milliseconds; the goal is a p95 below 50, and below 100 for an
explanation. Embedded, or the
distributed mode where NATS_URL and MONGODB_URI are set.
`;

/** Milliseconds. */
const goal = 50;
/** Milliseconds, where it is another. */
const goals: Readonly<Record<string, number>> = { 'explain an order by every rule': 100 };
const recordsAtOnce = 5_000;
const savesAtOnce = 8;

/** Prints the table. 0 when every p95 is below the goal, else 1. */
export async function main(args: readonly string[]): Promise<number> {
  const text = (standard: string) => ({ type: 'string', default: standard }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      rules: text('10000'),
      products: text('100000'),
      orders: text('100000'),
      rounds: text('40'),
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [rules, products, orders, rounds] = [values.rules, values.products, values.orders, values.rounds].map(Number);
  const folder = newFolder('catalogue-');
  const secrets = newSecrets();
  const { product, tidy } = await started(folder, secrets);
  try {
    const client = apiClient(product.port, secrets);
    await fill(client, product.port, secrets, { rules, products, orders } as Sizes);
    return await measure(client, { rules, products, orders } as Sizes, rounds as number);
  } finally {
    await product.stop();
    await tidy();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Sizes = { readonly rules: number; readonly products: number; readonly orders: number };

async function started(folder: string, secrets: Secrets): Promise<{ product: Product; tidy: () => Promise<void> }> {
  const own = { PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };
  const log = openSync(join(folder, 'log'), 'a');
  const { NATS_URL, MONGODB_URI } = process.env;
  if (NATS_URL && MONGODB_URI) {
    const NAMESPACE = `bench_${randomBytes(5).toString('hex')}`;
    const product = await startDistributed({ env: { ...secrets.env, ...own, NAMESPACE }, log });
    return { product, tidy: () => dropNamespace(NAMESPACE) };
  }
  const env = { ...secrets.env, ...own, DATA_DIR: join(folder, 'data') };
  return { product: await startEmbedded({ env, log }), tidy: async () => undefined };
}

const words = ['linen', 'oak', 'copper', 'glass', 'wool', 'clay', 'paper', 'steel', 'silk', 'cork'];
const word = (index: number): string => words[index % words.length] as string;

const productOf = (id: number) => ({
  id,
  name: `${word(id)} ${word(Math.floor(id / 10))} lamp ${id}`,
  slug: `lamp-${id}`,
  sku: `SKU-${id}`,
  type: 'simple',
  price: '19.00',
});

const orderOf = (id: number) => ({
  id,
  number: String(id),
  status: id % 3 === 0 ? 'completed' : 'pending',
  currency: 'EUR',
  total: '49.00',
  date_created: new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString(),
  billing: { first_name: 'Ada', last_name: `Example${id % 1000}`, email: `ada${id}@customer.example`, country: 'DE' },
  line_items: [{ id: 1, name: 'A lamp', product_id: 1 + (id % 1000), quantity: 1, total: '49.00' }],
});

const ruleOf = (amount: number) => ({
  trigger: { id: 'order_processing', settings: {} },
  conditions: [{ id: 'order_total', settings: { operator: 'gt', amount } }],
  primaryAction: null,
  secondaryActions: [{ id: 'add_order_note', settings: { note_text: `more than ${amount}` } }],
});

async function fill(client: Client, port: number, secrets: Secrets, sizes: Sizes): Promise<void> {
  const say = (what: string, since: number) =>
    process.stderr.write(`${what}: ${((performance.now() - since) / 1000).toFixed(0)} s\n`);
  let since = performance.now();
  await importAll(port, secrets, 'product', sizes.products, productOf);
  say(`${sizes.products} products`, since);
  since = performance.now();
  await importAll(port, secrets, 'order', sizes.orders, orderOf);
  say(`${sizes.orders} orders`, since);
  since = performance.now();
  for (let from = 0; from < sizes.rules; from += savesAtOnce) {
    const some = Array.from({ length: Math.min(savesAtOnce, sizes.rules - from) }, (_, index) => from + index);
    await Promise.all(
      some.map((at) =>
        client('POST', '/v1/rules', { name: `${word(at)} rule ${at}`, enabled: true, rule: ruleOf(at) }),
      ),
    );
  }
  say(`${sizes.rules} rules`, since);
}

/** A file of a few thousand lines at a time, without order events. */
async function importAll(
  port: number,
  { applicationPassword }: Secrets,
  type: string,
  count: number,
  recordOf: (id: number) => object,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`admin:${applicationPassword}`).toString('base64')}`;
  for (let from = 1; from <= count; from += recordsAtOnce) {
    const size = Math.min(recordsAtOnce, count - from + 1);
    const lines = Array.from({ length: size }, (_, index) => JSON.stringify({ type, data: recordOf(from + index) }));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/shop/import?events=false`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      body: `${lines.join('\n')}\n`,
    });
    const last = (await answer.text()).trim().split('\n').at(-1) ?? '';
    if (!last.includes('"done":true') || !last.includes(`"imported":${size}`)) throw new Error(`${type}: ${last}`);
  }
}

async function measure(client: Client, sizes: Sizes, rounds: number): Promise<number> {
  const id = (at: number, most: number): number => 1 + ((at * 7_919) % most);
  const get = (path: string): Promise<unknown> => client('GET', path);
  const steps: [name: string, run: (at: number) => Promise<unknown>][] = [
    ['list rules', (at) => get(`/v1/rules?page=${id(at, Math.ceil(sizes.rules / 50))}&per_page=50`)],
    ['search rules', (at) => get(`/v1/rules?search=${word(at)}&per_page=50`)],
    ['save a rule', (at) => client('PUT', `/v1/rules/${id(at, sizes.rules)}`, { rule: ruleOf(sizes.rules + at) })],
    ['list conflicts', () => get('/v1/rules/conflicts')],
    ['reload a rule', (at) => get(`/v1/rule/${id(at, sizes.rules)}`)],
    ...searchSources.map((source): [string, (at: number) => Promise<unknown>] => [
      `search-content ${source}`,
      (at) => get(`/v1/rule-builder/search-content?source=${source}&search=${word(at)}`),
    ]),
    [
      'search-content products by id',
      (at) => get(`/v1/rule-builder/search-content?source=products&search=${id(at, sizes.products)}`),
    ],
    ['list orders', (at) => get(`/v1/shop/orders?status=pending&page=${id(at, 20)}`)],
    ['search orders by name', (at) => get(`/v1/shop/orders?search=Example${at % 1000}`)],
    ['search orders by number', (at) => get(`/v1/shop/orders?search=${id(at, sizes.orders)}`)],
    [
      'explain an order by every rule',
      (at) => client('POST', '/pro/v1/debug-rule/explain', { order_id: id(at, sizes.orders) }),
    ],
  ];
  const rows: string[][] = [];
  let slow = 0;
  for (const [name, run] of steps) {
    const times: number[] = [];
    for (let at = 0; at < rounds; at += 1) {
      const since = performance.now();
      await run(at);
      if (at > 0) times.push(performance.now() - since);
    }
    const p95 = percentile(times, 0.95);
    const isSlow = p95 >= (goals[name] ?? goal);
    if (isSlow) slow += 1;
    rows.push([name, percentile(times, 0.5).toFixed(1), p95.toFixed(1), isSlow ? 'slow' : '']);
  }
  process.stdout.write(`${table([['ms', 'p50', 'p95', ''], ...rows])}\n`);
  return slow === 0 ? 0 : 1;
}
