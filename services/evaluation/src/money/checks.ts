import { retryOf } from '@order-automation/bus';
import {
  auditEntry,
  derivedId,
  isoTime,
  type MoneyFinding,
  type NewAuditEntry,
  newProcessId,
  type RequestOutput,
} from '@order-automation/contracts';
import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { KnownOrders } from '../order-history';
import type { RecordEntries } from '../ports/audit';
import type { Shop } from '../ports/shop';
import cures from './cures.json';
import { type Finding, findingsOf } from './laws';

/** An order that is to be looked at `at` (milliseconds since the epoch) or breaks a law now. Under 0 stands the round through all orders. */
export type MoneyCheckDocument = {
  readonly _id: number;
  readonly at: number;
  readonly found: readonly (Finding & { readonly since: string })[];
  /** It breaks a law now. */
  readonly open?: true;
  readonly unproven?: string;
  /** Of the round: the last order that it has looked at; null while none is under way. */
  readonly cursor?: number | null;
  readonly began_at?: string;
  readonly ended_at?: string;
};

export const moneyIndexes: readonly IndexDescription[] = [
  { name: 'at', key: { at: 1 } },
  { name: 'open', key: { open: 1 }, sparse: true },
];

export type MoneyDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly store: Store;
  readonly history: KnownOrders;
  readonly shop: Pick<Shop, 'get'>;
  readonly record: RecordEntries;
  readonly awaiting: ReadonlySet<string>;
};

const round = 0;
const hour = 60 * 60_000;
const day = 24 * hour;
/** Milliseconds after midnight (UTC) at which all orders are looked at. */
const atNight = 3 * hour;
const pageSize = 100;
const maxListed = 100;
/** Milliseconds between two pages of a round: webhooks come first. */
const pause = 1_000;

export type MoneyChecks = Awaited<ReturnType<typeof openMoneyChecks>>;

/** Looks at orders and their money: after events that may break a law, at night at all, and when somebody asks. */
export async function openMoneyChecks(deps: MoneyDeps) {
  const { store, history, clock, log } = deps;
  const documents = await store.collection<MoneyCheckDocument>('money_checks', moneyIndexes);
  /** Resolves with whether it was not to be looked at before that time already. */
  const look = async (_id: number, at: number, unproven?: string): Promise<boolean> => {
    const marked = unproven === undefined ? {} : { unproven };
    if ((await insertNew(documents, [{ _id, at, found: [], ...marked }])).length === 0) return true;
    const { matchedCount } = await documents.updateOne({ _id, at: { $gt: at } }, { $set: { at, ...marked } });
    return matchedCount > 0;
  };
  const nextNight = (now: number): number => (Math.floor((now - atNight) / day) + 1) * day + atNight;
  await look(round, nextNight(clock.now()));

  /** One page of orders; those that break a law, or will soon, get a document of their own. */
  const readPage = async ({ cursor }: MoneyCheckDocument): Promise<void> => {
    const now = clock.now();
    const from = cursor ?? round;
    const ids = await history.idsAfter(from, pageSize);
    for (const id of ids) {
      const seen = await findingsOfOrder(id, deps, undefined);
      if (seen && (seen.found.length > 0 || seen.next !== undefined)) await look(id, seen.next ?? now);
    }
    const last = ids.at(-1);
    const over = { cursor: null, at: nextNight(now), ended_at: isoTime(now) };
    const progress = last === undefined ? over : { cursor: last, at: now + pause };
    const began = cursor ? {} : { began_at: isoTime(now) };
    await documents.updateOne({ _id: round }, { $set: { ...progress, ...began } });
  };

  const check = async (document: MoneyCheckDocument): Promise<void> => {
    const { _id, at, unproven, found: before } = document;
    const now = clock.now();
    const seen = await findingsOfOrder(_id, deps, unproven);
    const found = (seen?.found ?? []).map((one) => {
      const known = before.find(({ law }) => law === one.law);
      return { ...one, since: known?.since ?? isoTime(now) };
    });
    const fresh = found.filter((one) => !before.some(({ law }) => law === one.law));
    const over = before.filter((one) => !found.some(({ law }) => law === one.law));
    await deps.record([
      ...fresh.map((one) => entryOf(_id, one, false, now)),
      ...over.map((one) => entryOf(_id, one, true, now)),
    ]);
    const next = Math.min(seen?.next ?? now + hour, now + hour);
    // Whoever has asked for it meanwhile is not forgotten.
    if (found.length === 0 && seen?.next === undefined) await documents.deleteMany({ _id, at });
    else if (found.length > 0)
      await documents.updateOne({ _id, at }, { $set: { found, open: true as const, at: next } });
    else await documents.updateOne({ _id, at }, { $set: { found, at: next }, $unset: { open: '' } });
  };

  /** An order that cannot be read keeps nobody else waiting. */
  const lookAt = async (document: MoneyCheckDocument): Promise<void> => {
    try {
      await (document._id === round ? readPage(document) : check(document));
    } catch (error) {
      if (retryOf(error) === 'later') throw error;
      log.warn({ err: error, order: document._id }, 'the money of an order could not be looked at');
      await documents.updateOne({ _id: document._id }, { $set: { at: clock.now() + hour } });
    }
  };

  return {
    look,
    list: async (): Promise<RequestOutput<'evaluation.money.list.v1'>> => {
      const [total, found, last] = await Promise.all([
        documents.countDocuments({ open: true }),
        documents.find({ open: true }).limit(maxListed).toArray(),
        documents.findOne({ _id: round }),
      ]);
      const findings = found.flatMap(({ _id: order_id, found: all }) =>
        all.map((one): MoneyFinding => ({ order_id, ...one, cure: cures[one.law] })),
      );
      const { began_at = null, ended_at = null } = last ?? {};
      return { total, findings: findings.sort((a, b) => (a.since < b.since ? 1 : -1)), round: { began_at, ended_at } };
    },
    /** All orders, from now on. */
    goRound: async (): Promise<{ started: boolean }> => {
      const { matchedCount } = await documents.updateOne(
        { _id: round, at: { $gt: clock.now() + 2 * pause } },
        { $set: { at: clock.now(), cursor: null } },
      );
      return { started: matchedCount > 0 };
    },
    start: (): Relay =>
      startRelay<MoneyCheckDocument>({
        name: 'money checks',
        pending: (now, limit) =>
          documents
            .find({ at: { $lte: now } })
            .sort({ at: 1 })
            .limit(limit)
            .toArray(),
        send: async (due) => {
          for (const one of due) await lookAt(one);
        },
        every: 5_000,
        longest: 20_000,
        batch: 50,
        clock,
        log,
      }),
  };
}

async function findingsOfOrder(id: number, deps: MoneyDeps, unproven: string | undefined) {
  const { history, shop, awaiting, clock } = deps;
  const [known, context] = await Promise.all([history.known(id), shop.get(id)]);
  const marked = unproven !== undefined && { unproven };
  return context && findingsOf({ order: context.order, known, awaiting, ...marked }, clock.now());
}

/** Once for each time that a law is broken, and once when it is kept again. */
function entryOf(order_id: number, { law, text, since }: Finding & { since: string }, isOver: boolean, now: number) {
  const cure = cures[law];
  return auditEntry({
    uid: `money_${derivedId('money', order_id, law, text, isOver ? `over ${since}` : Math.floor(now / hour))}`,
    timestamp: isoTime(now),
    status: isOver ? 'info' : 'warning',
    event_type: isOver ? 'money_settled' : 'money_alarm',
    source: 'system',
    summary: isOver ? `No longer so: ${text}` : `${text} ${cure}`,
    process_id: newProcessId(now),
    order_id,
    details: { law, since },
  }) satisfies NewAuditEntry;
}
