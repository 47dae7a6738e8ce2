import {
  type AuditEntry,
  type AuditFilters,
  type GroupedAuditEntry,
  paginate,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import type { Entries } from './entries';
import { type EntryDocument, entryOf } from './entry';
import type { Pages } from './pages';
import { compare, mostTelling, type ProcessRow, parentOf, visible, visibleCount } from './process-row';
import type { Processes, ProcessStart } from './processes';
import { hasValues, matches, type Selection } from './selection';
import type { Totals } from './totals';

export type ListDeps = {
  readonly entries: Entries;
  readonly processes: Processes;
  readonly pages: Pages;
  readonly totals: Totals;
};
type Input = RequestInput<'audit.entry.list.v1'>;
type Output = RequestOutput<'audit.entry.list.v1'>;

/** Section 4.2 of the specification: the consolidated view ends here. */
export const mostGroups = 500;
/** Entries read in one step while a filtered view looks for processes. */
const step = 1_000;
/** Entries looked at for one filtered view at most: past these it is cut, and says so. */
const mostLookedAt = 20_000;

export function listEntries(input: Input, deps: ListDeps): Promise<Output> {
  return input.view === 'flat' ? listFlat(input, deps) : listConsolidated(input, deps);
}

/** Raw rows, in the order of recording, the latest first. */
async function listFlat(input: Input, { entries, processes, pages, totals }: ListDeps): Promise<Output> {
  const { page, per_page, filters } = input;
  const offset = (page - 1) * per_page;
  const selection = await entries.select(filters);
  if (selection.sought) return foundFlat(input, selection, { processes, pages });
  const { total, ...position } = await totals.locate(selection, offset);
  const found = offset < total ? await pages.at(selection, position, per_page) : [];
  return {
    logs: await withParents(found, processes),
    pagination: paginate(total, page, per_page),
    is_truncated: false,
  };
}

/** A search counts and shows no more than this many entries: what it looks at is bounded. */
const mostFound = 2_000;

async function foundFlat(
  { page, per_page }: Input,
  selection: Selection,
  { processes, pages }: Pick<ListDeps, 'processes' | 'pages'>,
): Promise<Output> {
  const found = await pages.newest(selection, undefined, mostFound + 1);
  const shown = found.slice(0, mostFound);
  return {
    logs: await withParents(shown.slice((page - 1) * per_page, page * per_page), processes),
    pagination: paginate(shown.length, page, per_page),
    is_truncated: found.length > mostFound,
  };
}

export async function withParents(found: readonly EntryDocument[], processes: Processes): Promise<AuditEntry[]> {
  const rows = await processes.rows([...new Set(found.map(({ process_id }) => process_id))]);
  return found.map((entry) => entryOf(entry, parentOf(entry, rows.get(entry.process_id))));
}

/** One row a process, by the time it began, the latest first. */
async function listConsolidated(input: Input, deps: ListDeps): Promise<Output> {
  const { page, per_page, filters } = input;
  const { ids, total, more } = hasValues(filters)
    ? pageOf(await matchingProcesses(filters, deps), input)
    : await timeline(input, deps);
  return {
    logs: ids.length === 0 ? [] : await groups(ids, filters, deps),
    pagination: paginate(total, page, per_page),
    is_truncated: more,
  };
}

/** The processes of a page, how many the view has, and whether there are more than it shows. */
type Page = { readonly ids: readonly string[]; readonly total: number; readonly more: boolean };
/** Processes of a view, the latest first, and whether some were left out. */
type Found = { readonly starts: readonly ProcessStart[]; readonly more: boolean };

const latestFirst = (a: ProcessStart, b: ProcessStart): number =>
  compare(b.started_at, a.started_at) || compare(b._id, a._id);

function pageOf({ starts, more }: Found, { page, per_page }: Input): Page {
  const shown = starts.slice(0, mostGroups);
  const ids = shown.slice((page - 1) * per_page, page * per_page).map(({ _id }) => _id);
  return { ids, total: shown.length, more: more || starts.length > mostGroups };
}

async function timeline(input: Input, { processes }: ListDeps): Promise<Page> {
  const [first = 'normal', ...others] = visible(input.filters);
  if (others.length === 0 && (await processes.timeline(first, mostGroups, 1)).length > 0) {
    // Of a view that is full only the page is read.
    const skip = (input.page - 1) * input.per_page;
    const limit = Math.min(input.per_page, mostGroups - skip);
    const found = limit > 0 ? await processes.timeline(first, skip, limit) : [];
    return { ids: found.map(({ _id }) => _id), total: mostGroups, more: true };
  }
  const walks = [first, ...others].map((visibility) => processes.timeline(visibility, 0, mostGroups + 1));
  return pageOf({ starts: (await Promise.all(walks)).flat().sort(latestFirst), more: false }, input);
}

/** Processes with an entry that matches: those of the latest such entries, at most one more than the view shows. */
async function matchingProcesses(filters: AuditFilters, { entries, processes, pages }: ListDeps): Promise<Found> {
  const selection = await entries.select(filters);
  const ids = new Set<string>();
  let below: number | undefined;
  let [looked, more] = [0, false];
  for (;;) {
    const found = await pages.newest(selection, below, step);
    for (const { process_id } of found) if (ids.size <= mostGroups) ids.add(process_id);
    looked += found.length;
    below = found.at(-1)?._id;
    if (found.length < step || ids.size > mostGroups) break;
    more = looked >= mostLookedAt;
    if (more) break;
  }
  const rows = await processes.rows([...ids]);
  return { starts: [...rows.values()].sort(latestFirst), more };
}

async function groups(
  ids: readonly string[],
  filters: AuditFilters,
  { entries, processes }: ListDeps,
): Promise<GroupedAuditEntry[]> {
  const rows = await processes.rows(ids);
  const representatives = await representativesOf([...rows.values()], filters, entries);
  return ids.flatMap((id) => {
    const [row, entry] = [rows.get(id), representatives.get(id)];
    return row && entry ? [groupOf(row, entry, filters)] : [];
  });
}

/** The most telling entry of each process; where a filter is in force, of the entries that match it. */
async function representativesOf(
  rows: readonly ProcessRow[],
  filters: AuditFilters,
  entries: Entries,
): Promise<Map<string, EntryDocument>> {
  if (!hasValues(filters)) {
    const found = await entries.byIds(rows.map(({ representative_id }) => representative_id));
    return new Map(found.map((entry) => [entry.process_id, entry]));
  }
  const selection = await entries.select(filters);
  const matching = new Map<string, EntryDocument[]>();
  for (const entry of await entries.ofProcesses(rows.map(({ _id }) => _id))) {
    if (!matches(entry, selection)) continue;
    const list = matching.get(entry.process_id);
    if (list) list.push(entry);
    else matching.set(entry.process_id, [entry]);
  }
  return new Map(
    [...matching].flatMap(([id, list]) => {
      const entry = mostTelling(list);
      return entry ? [[id, entry] as const] : [];
    }),
  );
}

function groupOf(row: ProcessRow, entry: EntryDocument, filters: AuditFilters): GroupedAuditEntry {
  return {
    ...entryOf(entry, parentOf(entry, row)),
    is_process_group: true,
    process_count: visibleCount(row.counts, filters),
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}
