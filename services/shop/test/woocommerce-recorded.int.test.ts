import { secret } from '@order-automation/service';
import { authorized } from '../src/woocommerce/authorization';
import { type Recorded, recorded, shapeOf } from './woocommerce-recorded';
import { beforeRequest, recordedShop } from './woocommerce-recorded-shop';
import { startWooCommerce, type WooCommerceServer, wooCommerceKey } from './woocommerce-server';

/** Answers in which the stand-in's order is another one, and why. */
const inAnyOrder: Readonly<Record<string, string>> = {
  'notes of the shop itself': 'the database is free to choose how it sorts notes of the same second',
};

const keys = {
  manager: wooCommerceKey,
  readonly: { key: 'ck_readonly', secret: 'cs_readonly', write: false },
  writeonly: { key: 'ck_writeonly', secret: 'cs_writeonly', read: false },
  customer: { key: 'ck_customer', secret: 'cs_customer', manager: false },
};
const nobody = { key: 'ck_nobody', secret: 'cs_nobody' };
const { manager, ...otherKeys } = keys;

/** Ids of the recording, and those that the stand-in gave instead. */
const ids = new Map<number, number>();
const servers = new Map<string, WooCommerceServer>();
let now = Date.parse('2026-11-25T20:23:32Z');

beforeAll(async () => {
  for (const { tables, zone } of recorded) {
    const name = `${tables} ${zone}`;
    if (servers.has(name)) continue;
    const options = { now: () => now, otherKeys: Object.values(otherKeys), site: { tables, zone } };
    servers.set(name, await startWooCommerce(options));
  }
  recordedShop(serverOf({ tables: 'new', zone: 'UTC' }));
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

const serverOf = ({ tables, zone }: Pick<Recorded, 'tables' | 'zone'>): WooCommerceServer => {
  const server = servers.get(`${tables} ${zone}`);
  if (!server) throw new Error(`there is no stand-in with ${tables} tables in ${zone}`);
  return server;
};

const translated = (text: string): string => text.replace(/\d{1,6}/g, (id) => String(ids.get(Number(id)) ?? id));

async function answerTo({ request, ...site }: Recorded) {
  const server = serverOf(site);
  const target = new URL(`${server.url}/wp-json/${translated(request.path)}`);
  for (const [name, value] of Object.entries(request.query)) target.searchParams.set(name, String(value));
  for (const name of ['include', 'search']) {
    const value = target.searchParams.get(name);
    if (value !== null && /^[\d,]+$/.test(value)) target.searchParams.set(name, translated(value));
  }
  const { key, secret: word } = request.as === 'nobody' ? nobody : keys[request.as];
  const { url, headers } = authorized(request.method, target, { key: secret(key), secret: secret(word) }, now);
  const withBody = request.body ? { body: translatedIds(request.body) } : {};
  const response = await fetch(url, { method: request.method, headers, ...withBody });
  const total = Number(response.headers.get('X-WP-Total') ?? 0) || undefined;
  return { status: response.status, total, json: (await response.json()) as unknown };
}

const translatedIds = (body: unknown): string =>
  JSON.stringify(body, (name, value: unknown) => (name === 'id' ? (ids.get(Number(value)) ?? value) : value));

/** Remembers which ids of ours stand where the recording has others. */
function match(theirs: unknown, ours: unknown): void {
  if (typeof theirs !== 'object' || typeof ours !== 'object' || theirs === null || ours === null) return;
  for (const [name, value] of Object.entries(theirs)) {
    const own = (ours as Record<string, unknown>)[name];
    if (name === 'id' && typeof value === 'number' && typeof own === 'number' && value !== own) ids.set(value, own);
    match(value, own);
  }
}

const sorted = (items: unknown): unknown =>
  Array.isArray(items) ? items.map((item) => JSON.stringify(item)).sort() : items;

/** When the answer was given, as its dates show it. */
const latestIn = (json: unknown): number =>
  Math.max(0, ...[...JSON.stringify(json).matchAll(/_gmt":"([^"]+)"/g)].map(([, time]) => Date.parse(`${time}Z`)));

test.each(recorded.map((one, at) => [at + 1, one.name, one] as const))('%i: %s', async (_at, name, one) => {
  now = Math.max(now, latestIn(one.answer.json));
  if (name !== 'now') beforeRequest(name, serverOf(one));
  else serverOf(one).putOrder(Number(/\d+$/.exec(one.request.path)?.[0]), {});
  const { status, total, json } = await answerTo(one);
  const shown = (answer: unknown) => (name in inAnyOrder ? sorted(shapeOf(answer)) : shapeOf(answer));
  if (!(name in inAnyOrder)) match(one.answer.json, json);
  expect({ status, total, json: shown(json) }).toEqual({
    status: one.answer.status,
    total: one.answer.total,
    json: shown(one.answer.json),
  });
});
