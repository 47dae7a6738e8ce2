import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@order-automation/bus';
import {
  type NewAuditEntry,
  newProcessId,
  type Order,
  type ReceivedWebhook,
  type Reception,
} from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import { connections } from '../year/generic';
import type { LivingWorld } from '../year/live';
import { fieldsOf } from '../year/lives';
import { senderSecrets, signatureOf } from '../year/senders';
import { createRules, endIn } from '../year/world';
import type { Cluster } from './cluster';

/** Virtual milliseconds: a sender whose webhook was not acknowledged sends it again after these, and everything must have ended after these. */
const again = 10_000;
const most = 6 * 3_600_000;

const slow = { timeout: 60_000 };
const patient = { timeout: most, every: 1_000 };
const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
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
  await createRules({
    createRule: async (name, rule) => {
      const changes = { name, enabled: true, rule };
      await bus.request('rules.rule.create.v1', { changes, edition: 'extended', actor }, slow);
    },
  });
  const fields = { auth_method: 'hmac', secret: senderSecrets.connection } as const;
  await bus.request('intake.connection.create.v1', { name: connections.major, fields }, slow);
  const minor = { ...fields, amount_unit: 'minor' } as const;
  await bus.request('intake.connection.create.v1', { name: connections.minor, fields: minor }, slow);
  cluster.letFaultsHappen(true);

  const records = await stores.audit.collection<LogRecord>('records');
  const entries = async (): Promise<NewAuditEntry[]> =>
    (await records.find({}).toArray()).flatMap(({ process_id, entries: own }) =>
      own.map((entry) => ({ ...entry, process_id, event_type: entry.facet.split(' ')[2] }) as NewAuditEntry),
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
  const lineOf = ({ timestamp, event_type, summary, process_id }: NewAuditEntry): string =>
    `${timestamp.slice(11, 23)} ${process_id.slice(-6)} ${event_type}: ${summary}`;
  return {
    log: () => log.map(lineOf),
    create: (planned) => save(planned.id, fieldsOf(planned)),
    save,
    turn: async () => undefined,
    last: async () => undefined,
    send: (webhooks) =>
      Promise.all(
        webhooks.map(async ({ gateway, connection, body }) => {
          const bytes = Buffer.from(body);
          const { success, message, process_id, duplicate } = await untilAcknowledged(bus, () => ({
            gateway,
            connection,
            headers: { 'content-type': ['application/json'], ...signatureOf(gateway, bytes, Date.now()) },
            body: Uint8Array.from(bytes),
            process_id: newProcessId(Date.now()),
            received_at: new Date().toISOString(),
            refused: null,
          }));
          return { process_id, answer: duplicate ? 'duplicate' : success ? 'accepted' : `refused: ${message}` };
        }),
      ),
    isSettled: async () => {
      await quiet();
      log = await entries();
    },
    endOf: async ({ order: { id } }) => {
      const { status, notes } = await order(id);
      const texts = notes.map(({ note }) => note);
      const own = log.filter(({ order_id }) => order_id === id);
      return { status, moves: null, ...endIn(texts, own) };
    },
    silent: (processes) => {
      const isEnd = ({ event_type, details }: NewAuditEntry) =>
        details.outcome !== undefined || event_type === 'event_waiting';
      const ended = new Set(log.filter(isEnd).map(({ process_id }) => process_id));
      return processes.filter((one) => !ended.has(one));
    },
    summaries: (processes, id) =>
      log.filter(({ process_id, order_id }) => processes.includes(process_id) || order_id === id).map(lineOf),
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
