import { setTimeout as delay } from 'node:timers/promises';
import { isoTime, unavailable } from '@order-automation/contracts';
import type { LogParts } from '../log';
import type { ClosedRange } from '../records/record-queries';
import type { RecordSummary } from '../records/record-summary';
import type { Records } from '../records/records';
import { headOf, runsOf } from './seals';

/** A seal that has this many entries ends with their record. */
const largestSeal = 4096;

type SealDeps = Pick<LogParts, 'records' | 'ids' | 'seals' | 'clock'>;

/** Called with what was sealed: all records of a range of ids. */
export type OnSealed = (range: ClosedRange, records: readonly RecordSummary[]) => Promise<void> | void;

/** Seals every entry that is settled by now. Resolves with how many entries it has sealed. */
export async function sealSettled(
  { records, ids, seals, clock }: SealDeps,
  onSealed: OnSealed = () => undefined,
): Promise<number> {
  const settled = await ids.settledBelow();
  let count = 0;
  for (;;) {
    const [latest] = await seals.latest(1);
    const { below: from, head, seal: last } = latest ? { ...latest, seal: latest._id } : await seals.first();
    records.forgetRecent(from);
    const found = await recordsToSeal({ from, below: settled }, records);
    const sealed = found.flatMap((record) => record.sealed());
    if (sealed.length === 0) return count;
    const full = sealed.length >= largestSeal;
    const below = full ? (sealed.at(-1)?._id ?? from) + 1 : settled;
    const body = {
      _id: last + 1,
      from,
      below,
      runs: runsOf(sealed.map(({ _id }) => _id)),
      entries: (latest?.entries ?? 0) + sealed.length,
      at: isoTime(clock.now()),
    };
    if (!(await seals.add({ ...body, head: headOf(head, body, sealed) }))) return count;
    await onSealed({ from, below }, found);
    count += sealed.length;
    if (!full) return count;
  }
}

/** Looks for a seal that another instance may be making, and milliseconds between two. */
const maxLooks = 60;
const lookEvery = 500;

/**
 * Has those of these ids sealed that others may be sealing. A seal in the making may have read its range before a record came into it: whether it has the
 * record is known when it is made. Rejects where it is not made for half a minute.
 */
export async function sealThrough(entryIds: readonly number[], deps: SealDeps): Promise<void> {
  if (entryIds.length === 0) return;
  const { ids, seals } = deps;
  const settled = await ids.settledForAnybody();
  const last = Math.max(...entryIds.filter((id) => id < settled), 0);
  for (let look = 0; last > 0; look += 1) {
    const [latest] = await seals.latest(1);
    if ((latest ?? (await seals.first())).below > last) return;
    if ((await sealSettled(deps)) > 0) continue;
    // What was to be sealed has been taken out by another instance.
    if (look > 1 && last < (await ids.settledBelow())) return;
    if (look === maxLooks) throw unavailable('audit');
    await delay(lookEvery);
  }
}

const readAtOnce = 256;

async function recordsToSeal({ from, below }: ClosedRange, records: Records): Promise<RecordSummary[]> {
  const found: RecordSummary[] = [];
  let entries = 0;
  for (let next = from; entries < largestSeal; ) {
    const some = await records.settledIn({ from: next, below }, readAtOnce);
    for (const record of some) {
      if (entries >= largestSeal) break;
      found.push(record);
      entries += record.size;
    }
    if (some.length < readAtOnce) break;
    next = (some.at(-1)?._id ?? below) + 1;
  }
  return found;
}
