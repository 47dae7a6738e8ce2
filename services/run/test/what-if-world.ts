import { startAudit } from '@order-automation/audit';
import type { Bus } from '@order-automation/bus';
import {
  awaitingPayment,
  message,
  newProcessId,
  type RequestInput,
  type RequestType,
  type RuleData,
} from '@order-automation/contracts';
import { evaluationConfiguration, startEvaluation } from '@order-automation/evaluation';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { startProDebug } from '@order-automation/pro-debug';
import { rulesConfiguration, startRules } from '@order-automation/rules';
import { createMetrics, parseConfig, type Service, secret } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import type { Documents, Store } from '@order-automation/store';
import { type Lane, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';

export type WhatIfWorld = Awaited<ReturnType<typeof startWhatIfWorld>>;

const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
const slow = { timeout: 30_000 };

let worlds = 0;

/** All services that debugging asks, on one bus, with stores and subjects that can be compared. */
export async function startWhatIfWorld(lane: Lane, env: Record<string, string> = {}) {
  worlds += 1;
  const world = worlds;
  const clock = settableClock();
  const bus = await lane.bus();
  const opened: LaneDeps[] = [];
  const collections = new Map<string, () => Promise<unknown[]>>();
  const subjects: string[] = [];
  const depsOf = async (name: string): Promise<LaneDeps> => {
    const deps = await lane.deps({ bus, database: `${name}-${world}`, clock });
    opened.push(deps);
    return {
      ...deps,
      bus: notedBus(bus, name, subjects),
      store: notedStore(deps.store, name, collections),
      metrics: createMetrics(name),
    };
  };
  const done = new Map<string, string>();
  await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
    for (const { data } of messages) for (const { event_id, outcome } of data.events) done.set(event_id, outcome);
  });
  const settings = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), ...env };
  const secretKey = secret([Buffer.alloc(32, 7)]);
  const services: Service[] = [
    await startShop(await depsOf('shop'), { demoShop: false, timeZone: 'UTC' }),
    await startAudit(await depsOf('audit'), { secretKey, retention: 90 * 86_400_000 }),
    await startRules(await depsOf('rules'), parseConfig(rulesConfiguration, settings)),
    await startEvaluation(await depsOf('evaluation'), parseConfig(evaluationConfiguration, settings)),
    await startIntake(await depsOf('gateway-intake'), parseConfig(intakeConfiguration, settings)),
    await startProDebug(await depsOf('pro-debug'), { extensions: [], timeZone: 'UTC', awaitingPayment }),
  ];
  const ask = <T extends RequestType>(type: T, input: RequestInput<T>) => bus.request(type, input, slow);
  return {
    bus,
    clock,
    actor,
    ask,
    saveOrder: (id: number, fields: Record<string, unknown>) =>
      ask('shop.order.save.v1', {
        id,
        fields: { status: 'pending', total: '49.00', currency: 'EUR', ...fields },
        cause: { process_id: 'proc_setup', depth: 0, author: 'admin' },
      }),
    createRule: async (name: string, rule: RuleData, over: { enabled?: boolean; stop_processing?: boolean } = {}) =>
      (
        await ask('rules.rule.create.v1', {
          changes: { name, enabled: true, rule, ...over },
          edition: 'extended',
          actor,
        })
      ).record,
    changeRule: (id: number, changes: Record<string, unknown>) =>
      ask('rules.rule.save.v1', { id, changes, if_match: null, edition: 'extended', actor }),
    /** Sends the event that the gateway's adapter reads out of its test webhook, and resolves with its process when it is done. */
    happen: async (order: number, gateway: string, event_type: string): Promise<string> => {
      const found = (await ask('shop.order.get.v1', { ids: [order] })).orders[0]?.order;
      if (!found) throw new Error(`no order ${order}`);
      const process_id = newProcessId(Date.now());
      const { total, currency } = found;
      const about = { id: String(order), total, currency, transaction: found.transaction_id || `pi_${order}` };
      const { events, webhook } = await ask('intake.event.draft.v1', { gateway, event_type, order: about, process_id });
      const messages = events.map((event) =>
        message(
          'intake.event-received.v1',
          { process_id, event, webhook },
          { id: event.id, process_id, now: clock.now() },
        ),
      );
      await bus.publish(messages);
      await waitFor(() => events.every(({ id }) => done.has(id)), {
        timeout: 60_000,
        describe: 'the end of the event',
      });
      return process_id;
    },
    entriesOf: async (process_id: string) =>
      (await ask('audit.process.get.v1', { process_id, page: 1, per_page: 500 })).logs,
    /** Every document of every service, but what debugging remembers of itself, once nothing is left to hand over. */
    documents: async (): Promise<Documented> => {
      let found: Documented = {};
      await waitFor(
        async () => {
          const before = JSON.stringify(found);
          found = await documented(collections);
          const isOutboxFull = found['shop orders']?.some((order) => order.includes('"due":')) === true;
          const isSent = found['evaluation deliveries']?.some((one) => one.includes('"state":"pending"')) !== true;
          const isDue = (check: string) => (JSON.parse(check) as { at: number }).at < clock.now() + 60_000;
          const isChecked = found['evaluation money_checks']?.some(isDue) !== true;
          if (!isSent) clock.advance(60_000);
          return !isOutboxFull && isSent && isChecked && JSON.stringify(found) === before;
        },
        { timeout: 60_000, every: 400, describe: 'documents that stay as they are' },
      );
      return found;
    },
    /** The same as they are now. */
    written: () => documented(collections),
    /** What was published and asked since the last call, as `service type`. */
    subjects: () => subjects.splice(0),
    close: async () => {
      for (const service of services.reverse()) await service.close();
      for (const deps of opened) await deps.close();
      await bus.close();
    },
  };
}

type Documented = Record<string, string[]>;

/**
 * What debugging remembers of itself, and what follows from time alone: seals and counts of the log, how far intake has looked for unfinished events, which
 * instances live.
 */
const isOfTime = /^(pro-debug |gateway-intake marks|audit (seal|stats|totals|counters)|\S+ secret_key_instances)/;

/** Without the statistics of rules, which follow the events later. */
async function documented(collections: ReadonlyMap<string, () => Promise<unknown[]>>): Promise<Documented> {
  const all: Documented = {};
  for (const [name, read] of collections)
    if (!isOfTime.test(name))
      all[name] = (await read()).map((one) => JSON.stringify({ ...(one as object), stats: null })).sort();
  return all;
}

function notedBus(bus: Bus, service: string, subjects: string[]): Bus {
  return {
    ...bus,
    publish: (messages) => {
      for (const { type } of [messages].flat()) subjects.push(`${service} publishes ${type}`);
      return bus.publish(messages);
    },
    request: (type, input, options) => {
      subjects.push(`${service} asks ${type}`);
      return bus.request(type, input, options);
    },
  };
}

function notedStore(store: Store, service: string, collections: Map<string, () => Promise<unknown[]>>): Store {
  return {
    ...store,
    collection: async (name: string, ...rest: unknown[]) => {
      const open = store.collection as (...given: unknown[]) => Promise<Documents<{ _id: string }>>;
      const documents = await open(name, ...rest);
      collections.set(`${service} ${name}`, () => documents.find({}).toArray());
      return documents;
    },
  } as Store;
}
