import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@order-automation/bus';
import type { NewAuditEntry, Order, ReceivedWebhook, Reception } from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import { aspectsOf } from '../../../audit/src/records/facets';
import { createRule } from '../order-world';
import { answered, createConnections, received } from '../year/intake';
import type { LivingWorld } from '../year/live';
import { fieldsOf } from '../year/lives';
import { createRules } from '../year/rules';
import { signatureOf } from '../year/senders';
import { endIn, lineOf, telling } from '../year/telling';
import type { Cluster } from './cluster';

/** Virtual milliseconds: a sender whose webhook was not acknowledged sends it again after these, and everything must have ended after these. */
const again = 10_000;
const most = 6 * 3_600_000;

const slow = { timeout: 60_000 };
const patient = { timeout: most, every: 1_000 };
const cause = { process_id: 'proc_setup', depth: 0, author: 'admin' } as const;

type LogRecord = {
  readonly _id: number;
  readonly process_id: string;
  readonly entries: (NewAuditEntry & { readonly facet: string })[];
};
type Stored = { readonly _id: string; readonly state?: string; readonly due?: number };

/** The lives of a year in a cluster with faults: people and gateways try again until they are heard. */
export async function openWorld({
  bus,
  stores,
  ...cluster
}: Cluster): Promise<LivingWorld & { readonly log: () => string[] }> {
  await createRules({ createRule: (name, rule) => createRule(bus, name, rule) });
  await createConnections(bus);
  cluster.letFaultsHappen(true);

  const records = await stores.audit.collection<LogRecord>('records');
  const entries = async (): Promise<NewAuditEntry[]> =>
    (await records.find({}).toArray()).flatMap(({ process_id, entries: own }) =>
      own.map((entry) => ({ ...entry, process_id, ...aspectsOf(entry.facet) }) as NewAuditEntry),
    );
  const quiet = () => waitFor(() => isQuiet(stores), { ...patient, describe: 'the end of everything' });
  /** A person who gets no answer looks at the order before saving it again. */
  const save = async (id: number, saved: Record<string, unknown>): Promise<void> => {
    const isAnswered = () => bus.request('shop.order.save.v1', { id, fields: saved, cause }, slow).then(() => true);
    while (!(await isAnswered().catch(() => false))) {
      await delay(again);
      await quiet();
      const isSaved = ({ order_id, summary, event_type }: NewAuditEntry): boolean =>
        order_id === id && event_type.startsWith('order_') && summary.includes(`${saved.status} by admin`);
      if ((await entries()).some(isSaved)) return;
    }
  };
  const order = async (id: number) =>
    (await waitFor(() => bus.request('shop.order.view.v1', { id }, slow), patient)).order as Order & {
      notes: { note: string }[];
    };
  let log: NewAuditEntry[] = [];
  const told = telling(() => log);
  return {
    log: () => log.map(lineOf),
    create: (planned) => save(planned.id, fieldsOf(planned)),
    save,
    turn: async () => undefined,
    last: async () => undefined,
    send: (webhooks) =>
      Promise.all(
        webhooks.map(async ({ gateway, connection, body }) => {
          const json = { 'content-type': ['application/json'] };
          const signed = () => {
            const headers = { ...json, ...signatureOf(gateway, Buffer.from(body), Date.now()) };
            return received({ gateway, connection, headers, body }, Date.now());
          };
          return answered(await untilAcknowledged(bus, signed));
        }),
      ),
    isSettled: async () => {
      await quiet();
      log = await entries();
    },
    endOf: async ({ order: { id } }) => {
      const { status, notes } = await order(id);
      const texts = notes.map(({ note }) => note);
      return {
        status,
        moves: null,
        ...endIn(
          texts,
          log.filter(({ order_id }) => order_id === id),
        ),
      };
    },
    silent: told.silent,
    summaries: told.summaries,
  };
}

/** As a gateway does: what was not answered, or not with success, is sent again, each time signed anew. */
async function untilAcknowledged(bus: Bus, webhook: () => ReceivedWebhook): Promise<Reception> {
  for (;;) {
    const asked = bus.request('intake.receive.v1', { webhooks: [webhook()] });
    const [reception] = await asked.then(({ receptions }) => receptions).catch(() => []);
    if (reception && !reception.unstored) return reception;
    await delay(again);
  }
}

/** Nothing is open in any store: events, changes of orders, entries on their way into the log. */
async function isQuiet(stores: Cluster['stores']): Promise<boolean> {
  const inbox = await stores.intake.collection<Stored>('inbox');
  const evaluations = await stores.evaluation.collection<Stored>('evaluations');
  const orders = await stores.shop.collection<{ _id: number; due?: number }>('orders');
  const open = [
    await inbox.countDocuments({ state: 'accepted' }),
    await evaluations.countDocuments({ state: 'open' }),
    await orders.countDocuments({ due: { $exists: true } }),
  ];
  for (const store of [stores.intake, stores.evaluation, stores.shop, stores.rules])
    open.push(await (await store.collection<Stored>('audit_outbox')).countDocuments({}));
  return open.every((count) => count === 0);
}
