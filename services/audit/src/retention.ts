import { isoTime, type NewAuditEntry, newProcessId } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Seals } from './chain/seals';
import type { Tombstones } from './chain/tombstones';
import { type Entries, entryQueries } from './entries';
import type { Processes } from './processes';
import { rebuildRows } from './rebuild';
import type { Totals } from './totals';

export type RetentionDeps = {
  readonly entries: Entries;
  readonly processes: Processes;
  readonly totals: Totals;
  readonly seals: Seals;
  readonly tombstones: Tombstones;
  readonly clock: Clock;
  readonly record: (entries: readonly NewAuditEntry[]) => Promise<unknown>;
};

export type Retained = { readonly removed: number; readonly below_id: number; readonly before: string };

const atOnce = 1_000;

/**
 * Removes what is older than `keep` milliseconds, whole seals at a time: the chain then begins behind the last of them. A dry run counts and
 * removes nothing. A run that was interrupted is taken up by the next.
 */
export async function applyRetention(
  keep: number,
  dryRun: boolean,
  { entries, processes, totals, seals, tombstones, clock, record }: RetentionDeps,
): Promise<Retained> {
  const before = isoTime(clock.now() - keep);
  const seal = await seals.madeBy(before);
  const first = await seals.first();
  const below = Math.max(seal?.below ?? 0, first.below);
  const old = entryQueries.within({ below }, {});
  if (dryRun) return { removed: await entries.documents.countDocuments(old), below_id: below, before };
  if (seal && seal._id > first.seal) await seals.setFirst({ seal: seal._id, below, head: seal.head });
  let removed = 0;
  for (;;) {
    const found = await entries.factsIn({ from: 0, below }, atOnce);
    if (found.length === 0) break;
    const ids = found.map(({ _id }) => _id);
    await totals.mark(ids);
    removed += await entries.remove(ids);
    await totals.mark(ids);
    await rebuildRows([...new Set(found.map(({ process_id }) => process_id))], { entries, processes });
  }
  await totals.forgetBelow(below);
  await tombstones.removeBelow(below);
  await seals.removeUpTo((await seals.first()).seal);
  if (removed > 0) await record([retentionEntry(removed, before, clock.now())]);
  return { removed, below_id: below, before };
}

function retentionEntry(removed: number, before: string, now: number): NewAuditEntry {
  const processId = newProcessId(now);
  return {
    uid: `${processId}:retention`,
    timestamp: isoTime(now),
    status: 'info',
    event_type: 'audit_deleted',
    source: 'system',
    summary: `Retention removed ${removed === 1 ? '1 entry' : `${removed} entries`} from before ${before.slice(0, 16).replace('T', ' ')} UTC.`,
    order_id: null,
    process_id: processId,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { removed, before },
  };
}
