import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Entries } from '../entries';
import { digestParts } from '../entry';
import type { ChainKeys } from './keys';
import { type Chain, headParts, idsOf, type SealDocument, type Sealed, type Seals } from './seals';
import type { Tombstones } from './tombstones';

export type VerifyDeps = {
  readonly entries: Entries;
  readonly seals: Seals;
  readonly tombstones: Tombstones;
  readonly keys: ChainKeys;
};
type Output = RequestOutput<'audit.log.verify.v1'>;

/** Entries checked for one request, at least; a proof of more goes on at `next_id`. */
const enough = 10_000;

/** The first thing that is wrong in a part of the log. */
type Fault = { readonly id: number; readonly reason: string };

/**
 * Checks each entry by its digest and each seal by its entries and the seal before. What came after the last seal is checked entry by
 * entry. Checks whole seals, so it may look a little beyond the range.
 */
export async function verifyLog(range: RequestInput<'audit.log.verify.v1'>, deps: VerifyDeps): Promise<Output> {
  const { seals } = deps;
  const [first, last] = [await seals.first(), await seals.last()];
  const marksFault = await faultOfMarks(first, last, seals);
  const to = range.to_id ?? Number.MAX_SAFE_INTEGER;
  let [from, checked] = [Math.max(range.from_id ?? 0, first.below), 0];
  let fault: Fault | undefined = marksFault;
  let head: string | null = null;
  while (!fault && from <= to && checked < enough) {
    const [seal] = await seals.from(from, 1);
    if (!seal) {
      const tail = await verifyTail(from, to, deps);
      fault = tail.fault;
      checked += tail.checked;
      from = Number.MAX_SAFE_INTEGER;
      break;
    }
    fault = await faultOfSeal(seal, first, deps);
    checked += seal.runs.reduce((sum, [, count]) => sum + count, 0);
    head = seal.head;
    from = seal.below;
  }
  const more = !fault && from <= to && from < Number.MAX_SAFE_INTEGER;
  return {
    valid: !fault,
    checked,
    first_bad_id: fault?.id ?? null,
    reason: fault?.reason ?? null,
    head,
    next_id: more ? from : null,
  };
}

type Marked = Chain & { readonly intact: boolean };

async function faultOfMarks(first: Marked, last: Marked, seals: Seals): Promise<Fault | undefined> {
  if (!first.intact || !last.intact)
    return { id: first.below, reason: 'The mark of where the chain begins or ends was altered.' };
  if (last.seal === first.seal) return undefined;
  const seal = await seals.byNumber(last.seal);
  const [latest] = await seals.latest(1);
  if (seal?.head === last.head) return undefined;
  return { id: latest?.below ?? first.below, reason: 'The end of the chain is missing: seals were removed.' };
}

async function faultOfSeal(seal: SealDocument, first: Chain, deps: VerifyDeps): Promise<Fault | undefined> {
  const { entries, tombstones, keys, seals } = deps;
  const before = seal._id === first.seal + 1 ? first : await seals.byNumber(seal._id - 1);
  if (!before || before.below !== seal.from)
    return { id: before ? before.below : first.below, reason: `Seal ${seal._id - 1} is missing or was altered.` };
  const stored = new Map((await entries.inRange(seal)).map((entry) => [entry._id, entry]));
  const gone = await tombstones.in(seal.from, seal.below);
  const sealed: Sealed[] = [];
  const named = new Set(idsOf(seal.runs));
  for (const id of [...new Set([...named, ...stored.keys()])].sort((a, b) => a - b)) {
    const [entry, tombstone] = [stored.get(id), gone.get(id)];
    if (!named.has(id)) return { id, reason: `Entry ${id} was inserted after its range was sealed.` };
    if (tombstone && !tombstones.isGenuine(tombstone))
      return { id, reason: `The tombstone of entry ${id} was forged.` };
    if (!entry && tombstone?.reason !== 'deleted') return { id, reason: `Entry ${id} is missing.` };
    if (entry && !keys.holds(entry.mac, ...digestParts(entry))) return { id, reason: `Entry ${id} was altered.` };
    sealed.push({ _id: id, mac: tombstone?.entry_mac ?? entry?.mac ?? '' });
  }
  const { head, ...body } = seal;
  if (keys.headHolds(head, ...headParts(before.head, body, sealed))) return undefined;
  return {
    id: idsOf(seal.runs)[0] ?? seal.from,
    reason: `Seal ${seal._id} does not fit its entries or the seal before it.`,
  };
}

async function verifyTail(from: number, to: number, { entries, keys }: VerifyDeps) {
  const found = await entries.inRange({ from, below: Math.min(to, Number.MAX_SAFE_INTEGER - 1) + 1 });
  const bad = found.find((entry) => !keys.holds(entry.mac, ...digestParts(entry)));
  const fault: Fault | undefined = bad && { id: bad._id, reason: `Entry ${bad._id} was altered.` };
  return { fault, checked: found.length };
}
