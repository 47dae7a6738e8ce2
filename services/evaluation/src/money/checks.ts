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
import type { Store } from '@order-automation/store';
import type { KnownOrders } from '../history/order-history';
import type { RecordEntries } from '../ports/audit';
import type { Shop } from '../ports/shop';
import cures from './cures.json';
import {
  isRound,
  type KnownFinding,
  type MoneyCheckDocument,
  type MoneyDocuments,
  openMoneyDocuments,
} from './documents';
import { findingsOf } from './laws';

type MoneyDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly store: Store;
  readonly history: KnownOrders;
  readonly shop: Pick<Shop, 'get'>;
  readonly record: RecordEntries;
  readonly awaiting: ReadonlySet<string>;
};

type Parts = MoneyDeps & { readonly documents: MoneyDocuments };

const hour = 60 * 60_000;
const day = 24 * hour;
/** Milliseconds after midnight (UTC) at which all orders are looked at. */
const atNight = 3 * hour;
const nextNight = (now: number): number => (Math.floor((now - atNight) / day) + 1) * day + atNight;
const pageSize = 100;
/** Milliseconds between two pages of a round: webhooks come first. */
const pause = 1_000;
const maxListed = 100;

/** Looks at orders and their money: after events that may break a law, at night at all, and when somebody asks. */
export async function openMoneyChecks(deps: MoneyDeps) {
  const { store, clock, log } = deps;
  const documents = await openMoneyDocuments(store);
  const parts = { ...deps, documents };
  await documents.planRound(nextNight(clock.now()));
  return {
    look: documents.look,
    lookAgain: documents.lookAgain,
    list: () => listFindings(documents),
    goRound: async () => ({ started: await documents.beginRound(clock.now(), clock.now() + 2 * pause) }),
    start: (): Relay =>
      startRelay<MoneyCheckDocument>({
        name: 'money checks',
        pending: documents.due,
        send: async (due) => {
          for (const one of due) await lookAt(one, parts);
        },
        every: pause,
        longest: 20_000,
        batch: 50,
        clock,
        log,
      }),
  };
}

async function listFindings(documents: MoneyDocuments): Promise<RequestOutput<'evaluation.money.list.v1'>> {
  const [total, found, last] = await Promise.all([
    documents.countBroken(),
    documents.broken(maxListed),
    documents.round(),
  ]);
  const findings = found.flatMap(({ _id: order_id, found: all }) =>
    all.map((one): MoneyFinding => ({ order_id, ...one, cure: cures[one.law] })),
  );
  const { began_at = null, ended_at = null } = last ?? {};
  return { total, findings: findings.sort((a, b) => (a.since < b.since ? 1 : -1)), round: { began_at, ended_at } };
}

/** An order that cannot be read keeps nobody else waiting. */
async function lookAt(document: MoneyCheckDocument, parts: Parts): Promise<void> {
  const { documents, clock, log } = parts;
  try {
    await (isRound(document) ? readPage(document, parts) : check(document, parts));
  } catch (error) {
    if (retryOf(error) === 'later') throw error;
    log.warn({ err: error, order: document._id }, 'the money of an order could not be looked at');
    await documents.postpone(document, clock.now() + hour);
  }
}

/** Says what is new, and what is over; the document goes when nothing is wrong and nothing will be. */
async function check(document: MoneyCheckDocument, parts: Parts): Promise<void> {
  const { documents, record, clock } = parts;
  const { _id, unproven, found: before } = document;
  const now = clock.now();
  const seen = await findingsIn(_id, parts, unproven);
  const sinceWhen = ({ law }: Pick<KnownFinding, 'law'>) =>
    before.find((one) => one.law === law)?.since ?? isoTime(now);
  const found = (seen?.found ?? []).map((one): KnownFinding => ({ ...one, since: sinceWhen(one) }));
  const isIn = (list: readonly KnownFinding[], one: KnownFinding) => list.some(({ law }) => law === one.law);
  const fresh = found.filter((one) => !isIn(before, one));
  const over = before.filter((one) => !isIn(found, one));
  await record([
    ...fresh.map((one) => entryOf(_id, one, false, now)),
    ...over.map((one) => entryOf(_id, one, true, now)),
  ]);
  if (found.length === 0 && seen?.next === undefined) await documents.remove(document);
  else await documents.keep(document, found, Math.min(seen?.next ?? now + hour, now + hour));
}

/** One page of orders; those that break a law, or will soon, get a document of their own. */
async function readPage({ cursor }: MoneyCheckDocument, parts: Parts): Promise<void> {
  const { documents, history, clock } = parts;
  const now = clock.now();
  if (!cursor) await documents.lookAgain(now);
  const ids = await history.idsAfter(cursor ?? 0, pageSize);
  for (const id of ids) {
    const seen = await findingsIn(id, parts, undefined);
    if (seen && (seen.found.length > 0 || seen.next !== undefined)) await documents.look(id, seen.next ?? now);
  }
  const last = ids.at(-1);
  const began = cursor ? {} : { began_at: isoTime(now) };
  const over = { cursor: null, at: nextNight(now), ended_at: isoTime(now) };
  await documents.saveRound({ ...began, ...(last === undefined ? over : { cursor: last, at: now + pause }) });
}

async function findingsIn(id: number, { history, shop, awaiting, clock }: Parts, unproven: string | undefined) {
  const [known, context] = await Promise.all([history.known(id), shop.get(id)]);
  const marked = unproven !== undefined && { unproven };
  return context && findingsOf({ order: context.order, known, awaiting, ...marked }, clock.now());
}

/** Once for each time that a law is broken, and once when it is kept again. */
function entryOf(
  order_id: number,
  { law, text, since, transactions = [] }: KnownFinding,
  isOver: boolean,
  now: number,
): NewAuditEntry {
  const occasion = isOver ? `over ${since}` : Math.floor(now / hour);
  return auditEntry({
    uid: `money_${derivedId('money', order_id, law, text, occasion)}`,
    timestamp: isoTime(now),
    status: isOver ? 'info' : 'warning',
    event_type: isOver ? 'money_settled' : 'money_alarm',
    source: 'system',
    summary: isOver ? `No longer so: ${text}` : `${text} ${cures[law]}`,
    process_id: newProcessId(now),
    order_id,
    details: { law, since, transactions },
  });
}
