import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import type { Entries } from './entries';
import type { EntryDocument } from './entry';
import type { EntryIds } from './entry-ids';
import { withParents } from './list';
import type { Pages } from './pages';
import type { Processes } from './processes';
import { matches } from './selection';

export type ScanDeps = {
  readonly entries: Entries;
  readonly processes: Processes;
  readonly pages: Pages;
  readonly ids: EntryIds;
};

/** One page of a walk through all entries that pass the filters: up for the live tail, down for exports. */
export async function scanEntries(
  { filters, order, from_id, limit }: RequestInput<'audit.entry.scan.v1'>,
  { entries, processes, pages, ids }: ScanDeps,
): Promise<RequestOutput<'audit.entry.scan.v1'>> {
  const settled_below = await ids.settledBelow();
  if (order === 'newest') {
    const found = await pages.newest(await entries.select(filters), from_id ?? undefined, limit);
    const next_id = found.length < limit ? null : (found.at(-1)?._id ?? null);
    return { logs: await withParents(found, processes), next_id, settled_below };
  }
  const read: EntryDocument[] = await entries.after(from_id ?? 0, limit);
  const next_id = read.at(-1)?._id ?? null;
  const selection = await entries.select(filters);
  const shown = read.filter((entry) => matches(entry, selection));
  return { logs: await withParents(shown, processes), next_id, settled_below };
}
