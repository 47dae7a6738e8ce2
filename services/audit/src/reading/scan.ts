import type { Answer } from '@order-automation/contracts';
import type { Log } from '../log';
import type { Entry } from '../records/entry';
import { entriesOf } from '../records/log-record';
import type { Records } from '../records/records';
import { withParents } from './list';
import { matches } from './selection';
import { walkRanges } from './walk';

/** One page of a walk through all entries that pass the filters: up for the live tail, down for exports. */
export const scanEntries: Answer<'audit.entry.scan.v1', Log> = async (
  { filters, order, from_id, limit },
  { records, processes, totals, select, ids },
) => {
  const settled_below = await ids.settledBelow();
  const selection = await select(filters);
  const page = async (found: readonly Entry[], isLast: boolean) => ({
    logs: await withParents(
      found.filter((entry) => matches(entry, selection)),
      processes,
    ),
    next_id: isLast ? null : (found.at(-1)?._id ?? null),
    settled_below,
  });
  if (order === 'oldest') return page(await entriesAfter(from_id ?? 0, limit, records), false);
  const below = from_id ?? Number.MAX_SAFE_INTEGER;
  const found: Entry[] = [];
  for await (const batch of walkRanges(selection, await totals.rangesOf(filters), records, below)) {
    found.push(...batch.filter(({ _id }) => _id < below));
    if (found.length >= limit) return page(found.slice(0, limit), false);
  }
  return page(found, true);
};

async function entriesAfter(id: number, limit: number, records: Records): Promise<Entry[]> {
  const found = [...(await records.holding([id])), ...(await records.inRange({ from: id + 1 }, limit))];
  return found
    .flatMap(entriesOf)
    .filter(({ _id }) => _id > id)
    .slice(0, limit);
}
