import {
  isoTime,
  type NewAuditRecord,
  newProcessId,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import type { Log } from '../log';
import { rebuildRows } from '../processes/processes';
import { entriesOf } from '../records/log-record';
import { noticeOf } from './deletion';

/** Who asked for it; the service itself where nobody did. */
type RetentionBy = Omit<RequestInput<'audit.retention.run.v1'>, 'dry_run'>;

type Retained = RequestOutput<'audit.retention.run.v1'>;

const atOnce = 500;

/**
 * Removes what is older than `keep` milliseconds, whole seals at a time: the chain then begins behind the last of them. A dry run counts and
 * removes nothing. A run that was interrupted is taken up by the next.
 */
export async function applyRetention(
  keep: number,
  { dry_run: dryRun, ...by }: { readonly dry_run: boolean } & RetentionBy,
  { records, processes, totals, seals, clock, record }: Log,
): Promise<Retained> {
  const before = isoTime(clock.now() - keep);
  const seal = await seals.madeBy(before);
  const first = await seals.first();
  const below = Math.max(seal?.below ?? 0, first.below);
  if (dryRun) return { removed: await totals.countBelow(below), below_id: below, before };
  if (seal && seal._id > first.seal) await seals.setFirst({ seal: seal._id, below, head: seal.head });
  let removed = 0;
  for (;;) {
    const found = await records.inRange({ below }, atOnce);
    if (found.length === 0) break;
    const ids = found.map(({ _id }) => _id);
    await totals.mark(ids);
    await records.remove(ids);
    removed += found.flatMap(entriesOf).length;
    await totals.mark(ids);
    await rebuildRows([...new Set(found.map(({ process_id }) => process_id))], { records, processes });
  }
  await totals.forgetBelow(below);
  await seals.removeUpTo((await seals.first()).seal);
  const retained = { removed, below_id: below, before };
  // What a person asked for is in the log, also where there was nothing to remove.
  if (removed > 0 || by.user !== undefined) await record([retentionNotice(retained, by, clock.now())]);
  return retained;
}

function retentionNotice({ removed, before }: Retained, { user, ...by }: RetentionBy, now: number): NewAuditRecord {
  const { process_id = newProcessId(now) } = by;
  const what = `${removed === 1 ? '1 entry' : `${removed === 0 ? 'no' : removed} entries`} from before ${before.slice(0, 16).replace('T', ' ')} UTC.`;
  const summary =
    user === undefined ? `Retention removed ${what}` : `${user} applied the retention: it removed ${what}`;
  const details = { removed, before, ...(user === undefined ? {} : { user }) };
  const source = user === undefined ? 'system' : 'manual';
  return noticeOf(`${process_id}:retention`, { process_id, timestamp: isoTime(now), source, summary, details }, 'info');
}
