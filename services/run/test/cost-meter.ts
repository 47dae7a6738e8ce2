import { createHmac } from 'node:crypto';
import { startAudit } from '@order-automation/audit';
import type { Bus, Message } from '@order-automation/bus';
import { newProcessId, type RuleData } from '@order-automation/contracts';
import { evaluationConfiguration, startEvaluation } from '@order-automation/evaluation';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { startRules } from '@order-automation/rules';
import { createMetrics, parseConfig, type Service, secret } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import type { Cursor, Document, Documents, Index, Store } from '@order-automation/store';
import { type Lane, type LaneDeps, waitFor } from '@order-automation/testing';

/** What one webhook costs until its effects and its log are stored. */
export type Cost = {
  /** On MongoDB each is one round trip. */
  readonly 'store calls': number;
  /** Those of the shop among them. */
  readonly 'store calls of the shop': number;
  readonly 'documents written': number;
  /** Of those written: documents that were there before. */
  readonly rewrites: number;
  readonly 'bytes written': number;
  /** Published messages and requests. */
  readonly messages: number;
  /** `JSON.stringify` outside the stores. */
  readonly encodings: number;
};

type Call = { readonly name: string; readonly documents: number; readonly rewrites: number; readonly bytes: number };

const cardSecret = 'whsec_costs_0123456789';

/** What was done for one webhook, and by sweeps that looked for work meanwhile. */
export type Observed = {
  readonly calls: readonly Call[];
  readonly messages: readonly string[];
  readonly encodings: number;
};

export type CostMeter = {
  /** What so many webhooks cause, one after the other. */
  measure(webhooks: number): Promise<Observed[]>;
  close(): Promise<void>;
};

/** One rule with a status and a note that listens and matches, or none that matches, beside others that listen and do not. */
export type CostRules = { readonly matching: number; readonly others: number };

let meters = 0;

/** All services that an event passes, in this thread, with counted stores and a counted bus. */
export async function startCostMeter(lane: Lane, rules: CostRules): Promise<CostMeter> {
  meters += 1;
  const meter = meters;
  const calls: Call[] = [];
  const messages: string[] = [];
  const bus = await lane.bus();
  const opened: LaneDeps[] = [];
  const depsOf = async (name: string): Promise<LaneDeps> => {
    const deps = await lane.deps({ bus, database: `${name}-${meter}` });
    opened.push(deps);
    const counted = { bus: countedBus(bus, messages), store: countedStore(deps.store, name, calls) };
    return { ...deps, ...counted, metrics: createMetrics(name) };
  };
  const secretKey = secret([Buffer.alloc(32, 7)]);
  const env = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GATEWAY_CARD_SECRETS: cardSecret };
  const services: Service[] = [
    await startShop(await depsOf('shop'), { demoShop: false, timeZone: 'UTC' }),
    await startAudit(await depsOf('audit'), { secretKey, retention: 90 * 86_400_000 }),
    await startRules(await depsOf('rules'), { extensions: [] }),
  ];
  await createRules(bus, rules);
  services.push(await startEvaluation(await depsOf('evaluation'), parseConfig(evaluationConfiguration, env)));
  services.push(await startIntake(await depsOf('gateway-intake'), parseConfig(intakeConfiguration, env)));
  let order = 0;
  const one = async (): Promise<Observed> => {
    order += 1;
    const cause = { process_id: 'proc_setup', depth: 0, author: 'admin' } as const;
    const fields = { status: 'pending', total: '49.00', currency: 'EUR' };
    await bus.request('shop.order.save.v1', { id: order, fields, cause }, { timeout: 20_000 });
    await quiet(calls, messages);
    calls.length = 0;
    messages.length = 0;
    const encodings = countEncodings();
    const process_id = newProcessId(Date.now());
    await bus.request('intake.receive.v1', { webhooks: [payment(order, process_id)] }, { timeout: 20_000 });
    await waitFor(() => messages.includes('evaluation.events-done.v1'), { describe: 'the end of the event' });
    await quiet(calls, messages);
    return { calls: [...calls], messages: [...messages], encodings: encodings.stop() };
  };
  return {
    measure: async (webhooks) => {
      const costs: Observed[] = [];
      for (let index = 0; index < webhooks; index += 1) costs.push(await one());
      return costs;
    },
    close: async () => {
      for (const service of services.reverse()) await service.close();
      for (const deps of opened) await deps.close();
      await bus.close();
    },
  };
}

/** What every webhook causes: of each call and message the least that one of them needed, because sweeps that look for work fall into some. */
export function usualCost(observed: readonly Observed[]): Cost {
  const least = (of: (one: Observed) => readonly (readonly [name: string, amount: number])[]): number => {
    const sums = observed.map((one) => {
      const byName = new Map<string, number>();
      for (const [name, amount] of of(one)) byName.set(name, (byName.get(name) ?? 0) + amount);
      return byName;
    });
    const names = [...(sums[0]?.keys() ?? [])];
    return names.reduce((total, name) => total + Math.min(...sums.map((byName) => byName.get(name) ?? 0)), 0);
  };
  const ofCalls = (of: (call: Call) => number, service = ''): number =>
    least(({ calls }) => calls.filter(({ name }) => name.startsWith(service)).map((call) => [call.name, of(call)]));
  return {
    'store calls': ofCalls(() => 1),
    'store calls of the shop': ofCalls(() => 1, 'shop.'),
    'documents written': ofCalls(({ documents }) => documents),
    rewrites: ofCalls(({ rewrites }) => rewrites),
    'bytes written': ofCalls(({ bytes }) => bytes),
    messages: least((one) => one.messages.map((type) => [type, 1])),
    encodings: Math.min(...observed.map(({ encodings }) => encodings)),
  };
}

/** Resolves when nothing was written or sent for a moment. */
async function quiet(calls: readonly Call[], messages: readonly string[]): Promise<void> {
  let before = -1;
  await waitFor(
    () => {
      const now = calls.filter(({ documents }) => documents > 0).length + messages.length;
      const same = now === before;
      before = now;
      return same;
    },
    { every: 60 },
  );
}

function countedBus(bus: Bus, messages: string[]): Bus {
  return {
    ...bus,
    publish: (published) => {
      for (const { type } of Array.isArray(published) ? (published as Message[]) : [published as Message])
        messages.push(type);
      return bus.publish(published);
    },
    request: (type, input, options) => {
      messages.push(type);
      return bus.request(type, input, options);
    },
  };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

function countedStore(store: Store, service: string, calls: Call[]): Store {
  const countedCursor = <T>(cursor: Cursor<T>, name: string): Cursor<T> => ({
    sort: (sort) => countedCursor(cursor.sort(sort), name),
    skip: (count) => countedCursor(cursor.skip(count), name),
    limit: (count) => countedCursor(cursor.limit(count), name),
    toArray: () => {
      calls.push({ name: `${name}.find`, documents: 0, rewrites: 0, bytes: 0 });
      return cursor.toArray();
    },
  });
  const counted = <T extends Document>(documents: Documents<T>, collection: string): Documents<T> =>
    new Proxy(documents, {
      get: (target, method: keyof Documents<T> & string) => {
        const call = target[method];
        const name = `${service}.${collection}`;
        if (method === 'find')
          return (...args: Parameters<typeof target.find>) => countedCursor(target.find(...args), name);
        if (typeof call !== 'function') return call;
        return async (...args: unknown[]) => {
          const result = await (call as (...all: unknown[]) => Promise<unknown>).apply(target, args);
          calls.push({ name: `${name}.${method}`, ...writtenBy(method, args[0], args[1], result) });
          return result;
        };
      },
    });
  return {
    ...store,
    collection: async <T extends Document>(name: string, indexes?: readonly Index[]) =>
      counted(await store.collection<T>(name, indexes), name),
    check: store.check.bind(store),
    scrub: store.scrub.bind(store),
    close: store.close.bind(store),
  };
}

/** Documents that a call has written, and how many of them were there before. */
function writtenBy(method: string, first: unknown, second: unknown, result: unknown) {
  const matched = (result as { matchedCount?: number } | undefined)?.matchedCount ?? 0;
  switch (method) {
    case 'insertOne':
      return { documents: 1, rewrites: 0, bytes: bytesOf(first) };
    case 'insertMany':
      return { documents: (first as unknown[]).length, rewrites: 0, bytes: bytesOf(first) };
    case 'bulkWrite': {
      const operations = first as Record<string, unknown>[];
      const inserts = operations.filter((operation) => 'insertOne' in operation).length;
      return { documents: inserts + matched, rewrites: matched, bytes: bytesOf(first) };
    }
    case 'updateOne':
    case 'updateMany':
    case 'replaceOne':
    case 'findOneAndUpdate': {
      const count = method === 'findOneAndUpdate' ? 1 : matched;
      return { documents: count, rewrites: count, bytes: count === 0 ? 0 : bytesOf(second) };
    }
    default:
      return { documents: 0, rewrites: 0, bytes: 0 };
  }
}

/** Counts `JSON.stringify` until it is stopped, without that of the stores and of this meter. */
function countEncodings(): { stop(): number } {
  const original = JSON.stringify;
  let count = 0;
  JSON.stringify = ((...args: Parameters<typeof original>) => {
    const caller = new Error().stack?.split('\n')[2] ?? '';
    if (!/[/\\]store[/\\]|cost-meter/.test(caller)) count += 1;
    return original(...args);
  }) as typeof original;
  return {
    stop: () => {
      JSON.stringify = original;
      return count;
    },
  };
}

async function createRules(bus: Bus, { matching, others }: CostRules): Promise<void> {
  const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
  const create = async (name: string, amount: number): Promise<void> => {
    const rule: RuleData = {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [{ id: 'order_total', settings: { operator: 'gt', amount } }],
      primaryAction: { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } },
      secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Paid' } }],
    };
    const input = { changes: { name, enabled: true, rule }, edition: 'extended', actor } as const;
    await bus.request('rules.rule.create.v1', input, { timeout: 20_000 });
  };
  for (let index = 0; index < others; index += 1) await create(`Other ${index}`, 1_000);
  for (let index = 0; index < matching; index += 1) await create(`Match ${index}`, 10);
}

function payment(order: number, process_id: string) {
  const id = `pi_cost_${order}`;
  const object = {
    id,
    object: 'payment_intent',
    amount: 4900,
    currency: 'eur',
    status: 'succeeded',
    metadata: { order_id: String(order) },
  };
  const event = {
    id: `evt_cost_${order}`,
    type: 'payment_intent.succeeded',
    created: Math.floor(Date.now() / 1000),
    data: { object },
  };
  const body = Buffer.from(JSON.stringify(event));
  const at = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', cardSecret).update(`${at}.`).update(body).digest('hex');
  return {
    process_id,
    gateway: 'gateway_card',
    connection: null,
    headers: { 'card-signature': [`t=${at},v1=${digest}`], 'content-type': ['application/json'] },
    body,
    received_at: new Date().toISOString(),
    refused: null,
  };
}
