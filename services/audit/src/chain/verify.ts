import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Log } from '../log';
import { entriesOf, fitsDigest, isDeleted, isOurRecord, type LogRecord, sealedOf } from '../records/log-record';
import { termsOf } from '../records/terms';
import type { ChainKeys } from './keys';
import { type Chain, headOf, idsOf, isOurSeal, type SealDocument } from './seals';

type Output = RequestOutput<'audit.log.verify.v1'>;

/** Entries checked for one request, at least; a proof of more goes on at `next_id`. */
const enough = 10_000;

/** What was recorded before SECRET_KEY changed looks altered without the former key: no other sign tells the two apart. */
const orFormerKey = 'or SECRET_KEY lacks the former key that it was recorded under.';

/** The first thing that is wrong in a part of the log. */
type Fault = { readonly id: number; readonly reason: string };

/**
 * Checks each entry by its digest and each seal by its entries and the seal before. What came after the last seal is checked entry by
 * entry. Checks whole seals, so it may look a little beyond the range.
 */
export async function verifyLog(range: RequestInput<'audit.log.verify.v1'>, deps: Log): Promise<Output> {
  const to = range.to_id ?? Number.MAX_SAFE_INTEGER;
  let from = range.from_id ?? 0;
  const counts = { checked: 0, deleted: 0, erased: 0, unsealed: 0 };
  let fault: Fault | undefined;
  let head: string | null = null;
  while (!fault && from <= to && counts.checked < enough) {
    const part = await untilSettled(() => verifyPart(from, to, deps));
    fault = part.fault;
    for (const name of ['checked', 'deleted', 'erased', 'unsealed'] as const) counts[name] += part.counts[name];
    head = part.seal?.head ?? head;
    from = part.seal?.below ?? Number.POSITIVE_INFINITY;
  }
  const more = !fault && from <= to;
  // Where the chain was cut, entries may have been altered too, and that says more.
  if (!more) fault ??= (await untilSettled(() => verifyMarks(deps))).fault;
  return {
    valid: !fault,
    ...counts,
    first_bad_id: fault?.id ?? null,
    reason: fault?.reason ?? null,
    head,
    next_id: more ? from : null,
  };
}

/** Looks until two looks in a row find the same: what retention, a deletion or an erasure changes between two reads is no fault. */
async function untilSettled<T extends { readonly fault: Fault | undefined }>(look: () => Promise<T>): Promise<T> {
  let seen = await look();
  for (let reason: string | undefined; seen.fault && seen.fault.reason !== reason; seen = await look())
    reason = seen.fault.reason;
  return seen;
}

/** Entries that were checked; of these the deleted ones, those from which a person was erased, and those that no seal covers yet. */
type Counts = Readonly<Record<'checked' | 'deleted' | 'erased' | 'unsealed', number>>;

type Part = {
  readonly fault: Fault | undefined;
  readonly counts: Counts;
  /** The seal that was checked; undefined behind the last one. */
  readonly seal: SealDocument | undefined;
};

function countsOf(stored: readonly LogRecord[], isSealed: boolean): Counts {
  const entries = stored.flatMap((record) => record.entries);
  return {
    checked: entries.length,
    deleted: entries.filter(isDeleted).length,
    erased: entries.filter((entry) => 'erased_by' in entry).length,
    unsealed: isSealed ? 0 : entries.length,
  };
}

async function verifyMarks({ seals }: Log): Promise<{ readonly fault: Fault | undefined }> {
  const [first, last] = [await seals.first(), await seals.last()];
  if (!first.intact || !last.intact)
    return {
      fault: { id: first.below, reason: `The mark of where the chain begins or ends was altered, ${orFormerKey}` },
    };
  if (last.seal === first.seal || (await seals.byNumber(last.seal))?.head === last.head) return { fault: undefined };
  const [latest] = await seals.latest(1);
  const id = latest?.below ?? first.below;
  return { fault: { id, reason: 'The end of the chain is missing: seals were removed.' } };
}

/** Checks the first seal that ends above an id, or what comes after the last one. */
async function verifyPart(from: number, to: number, deps: Log): Promise<Part> {
  const first = await deps.seals.first();
  const start = Math.max(from, first.below);
  const [seal] = await deps.seals.from(start, 1);
  const tail = { from: start, below: Math.min(to, Number.MAX_SAFE_INTEGER - 1) + 1 };
  const stored = await deps.records.inRange(seal ?? tail, 0);
  const fault = await (seal ? faultOfSeal(seal, stored, first, deps) : faultOfRecords(stored, deps));
  return { fault, counts: countsOf(stored, seal !== undefined), seal };
}

async function faultOfSeal(
  seal: SealDocument,
  stored: readonly LogRecord[],
  first: Chain,
  deps: Log,
): Promise<Fault | undefined> {
  const { keys, seals } = deps;
  const before = seal._id === first.seal + 1 ? first : await seals.byNumber(seal._id - 1);
  if (!before || before.below !== seal.from)
    return { id: before ? before.below : first.below, reason: `Seal ${seal._id - 1} is missing or was altered.` };
  const sealed = stored.flatMap(sealedOf).sort((a, b) => a._id - b._id);
  const [named, present] = [idsOf(seal.runs), new Set(sealed.map(({ _id }) => _id))];
  const known = new Set(named);
  const [inserted, missing] = [[...present].find((id) => !known.has(id)), named.find((id) => !present.has(id))];
  const faultAt = (id: number | undefined, what: string) => {
    return id === undefined ? undefined : { id, reason: `Entry ${id} ${what}.` };
  };
  const fault = firstOf([
    faultAt(inserted, 'was inserted after its range was sealed'),
    faultAt(missing, 'is missing'),
    await faultOfRecords(stored, deps),
  ]);
  if (fault || (isOurSeal(seal, keys) && seal.head === headOf(before.head, seal, sealed))) return fault;
  return { id: named[0] ?? seal.from, reason: `Seal ${seal._id} does not fit its entries or the seal before it.` };
}

/** The fault of the lowest id; of several about one entry the first. */
const firstOf = (faults: readonly (Fault | undefined)[]): Fault | undefined =>
  faults.reduce((least, fault) => (fault && (!least || fault.id < least.id) ? fault : least), undefined);

/** The first entry that is not what we wrote, or that filters do not find. */
async function faultOfRecords(found: readonly LogRecord[], { records, keys }: Log): Promise<Fault | undefined> {
  const reached = await records.reachedByIndexes(found);
  return firstOf(found.map((record) => faultOfRecord(record, keys) ?? faultOfTerms(record, reached)));
}

function faultOfRecord(record: LogRecord, keys: ChainKeys): Fault | undefined {
  const at = record.entries.findIndex((_, index) => !fitsDigest(record, index));
  const id = record._id + Math.max(at, 0);
  if (at >= 0) return { id, reason: `Entry ${id} was altered.` };
  if (isOurRecord(record, keys)) return undefined;
  const last = record._id + record.entries.length - 1;
  const which = last > id ? `One of the entries ${id} to ${last}` : `Entry ${id}`;
  return { id, reason: `${which} was altered or its deletion forged, ${orFormerKey}` };
}

/** A term too many does no harm: each entry that it leads to is tested. */
function faultOfTerms(record: LogRecord, reachedByIndexes: ReadonlySet<number>): Fault | undefined {
  const stored = new Set(record.terms);
  const lost = entriesOf(record).find((entry) => termsOf([entry]).some((term) => !stored.has(term)));
  if (!lost && reachedByIndexes.has(record._id)) return undefined;
  const id = lost?._id ?? record._id;
  return { id, reason: `What entry ${id} is found by was altered.` };
}
