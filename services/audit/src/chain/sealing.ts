import { isoTime } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Entries } from '../entries';
import type { EntryIds } from '../entry-ids';
import type { ChainKeys } from './keys';
import { headParts, runsOf, type Seals } from './seals';
import type { Tombstones } from './tombstones';

export type SealingDeps = {
  readonly entries: Entries;
  readonly ids: EntryIds;
  readonly seals: Seals;
  readonly tombstones: Tombstones;
  readonly keys: ChainKeys;
  readonly clock: Clock;
};

/** Ids in one seal at most. */
const largestSeal = 4096;

/** Seals every entry that is settled by now. Resolves with how many entries it has sealed. */
export async function sealSettled({ entries, ids, seals, tombstones, keys, clock }: SealingDeps): Promise<number> {
  const settled = await ids.settledBelow();
  let count = 0;
  for (;;) {
    const [latest] = await seals.latest(1);
    const last = latest ?? (await seals.first());
    const before = latest
      ? { seal: latest._id, entries: latest.entries }
      : { seal: (await seals.first()).seal, entries: 0 };
    const from = last.below;
    const found = await entries.macsIn({ from, below: settled }, largestSeal);
    if (found.length === 0) return count;
    const full = found.length === largestSeal;
    const below = full ? (found.at(-1)?._id ?? from) + 1 : settled;
    const body = {
      _id: before.seal + 1,
      from,
      below,
      runs: runsOf(found.map(({ _id }) => _id)),
      entries: before.entries + found.length,
      at: isoTime(clock.now()),
    };
    // Read after the entries: one that is erased meanwhile has its tombstone first.
    const gone = await tombstones.in(from, below);
    const sealed = found.map(({ _id, mac }) => ({ _id, mac: gone.get(_id)?.entry_mac ?? mac }));
    const head = keys.head(...headParts(last.head, body, sealed)).toString('base64');
    if (!(await seals.add({ ...body, head }))) return count;
    count += found.length;
    if (!full) return count;
  }
}
