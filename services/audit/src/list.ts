import {
  type AuditEntry,
  type AuditFilters,
  type GroupedAuditEntry,
  paginate,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import type { Bundles } from './bundles';
import { asEntry, hasValues, type LoggedEntry, matches } from './logged-entry';
import { compare, mostTelling, parentOf, visible, visibleCount } from './process-summary';
import type { Processes, ProcessRow, ProcessStart } from './processes';
import { isCounted, type Totals } from './totals';

export type ListDeps = { readonly bundles: Bundles; readonly totals: Totals };
type Input = RequestInput<'audit.entry.list.v1'>;
type Output = RequestOutput<'audit.entry.list.v1'>;

/** Section 4.2 of the specification: the consolidated view ends here. */
export const mostGroups = 500;
/** Bundles looked at in one step when a filtered view looks for processes: nearly every one is of a process of its own. */
const step = mostGroups + 50;

export function listEntries(input: Input, deps: ListDeps): Promise<Output> {
  return input.view === 'flat' ? listFlat(input, deps) : listConsolidated(input, deps);
}

/** Raw rows, in the order of recording, the latest first. */
async function listFlat({ page, per_page, filters }: Input, { bundles, totals }: ListDeps): Promise<Output> {
  const offset = (page - 1) * per_page;
  const selection = await bundles.select(filters);
  const { total, ...position } = isCounted(filters)
    ? await totals.locate(selection, offset)
    : { total: await bundles.count(selection, {}), skip: offset };
  const found = offset < total ? await bundles.page(selection, position, per_page) : [];
  return {
    logs: await withParents(found, bundles.processes),
    pagination: paginate(total, page, per_page),
    is_truncated: false,
  };
}

async function withParents(found: readonly LoggedEntry[], processes: Processes): Promise<AuditEntry[]> {
  const ids = [...new Set(found.map(({ process_id }) => process_id))];
  const rows = await processes.rows(ids);
  return found.map((entry) => asEntry(entry, parentOf(entry, rows.get(entry.process_id))));
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

const latestFirst = (a: ProcessStart, b: ProcessStart): number =>
  compare(b.started_at ?? '', a.started_at ?? '') || b._id - a._id;

function pageOf(starts: readonly ProcessStart[], { page, per_page }: Input): Page {
  const shown = starts.slice(0, mostGroups);
  const ids = shown.slice((page - 1) * per_page, page * per_page).map(({ process_id }) => process_id);
  return { ids, total: shown.length, more: starts.length > mostGroups };
}

async function timeline(input: Input, { bundles: { processes } }: ListDeps): Promise<Page> {
  const [first = 'normal', ...others] = visible(input.filters);
  if (others.length === 0 && (await processes.timeline(first, mostGroups, 1)).length > 0) {
    // Of a view that is full only the page is read.
    const skip = (input.page - 1) * input.per_page;
    const limit = Math.min(input.per_page, mostGroups - skip);
    const found = limit > 0 ? await processes.timeline(first, skip, limit) : [];
    return { ids: found.map(({ process_id }) => process_id), total: mostGroups, more: true };
  }
  const walks = [first, ...others].map((visibility) => processes.timeline(visibility, 0, mostGroups + 1));
  return pageOf((await Promise.all(walks)).flat().sort(latestFirst), input);
}

/** Processes with an entry that matches, of the latest such entries at most one more than the view shows. */
async function matchingProcesses(filters: AuditFilters, { bundles }: ListDeps): Promise<ProcessStart[]> {
  const selection = await bundles.select(filters);
  const starts = new Map<string, ProcessStart | undefined>();
  let below: number | undefined;
  for (;;) {
    const found = await bundles.briefly(selection, { below }, step);
    for (const bundle of found) {
      const { process_id, n } = bundle;
      if (starts.size > mostGroups && !starts.has(process_id)) continue;
      starts.set(process_id, n === 0 ? bundle : starts.get(process_id));
    }
    below = found.at(-1)?._id;
    if (found.length < step || starts.size > mostGroups) break;
  }
  const unseen = [...starts].flatMap(([process_id, start]) => (start ? [] : [process_id]));
  const others = unseen.length === 0 ? [] : await bundles.processes.starts(unseen);
  return [...starts.values(), ...others].filter((start) => start !== undefined).sort(latestFirst);
}

async function groups(
  ids: readonly string[],
  filters: AuditFilters,
  { bundles }: ListDeps,
): Promise<GroupedAuditEntry[]> {
  const rows = await bundles.processes.rows(ids);
  const representatives = await representativesOf([...rows.values()], filters, bundles);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    const entry = representatives.get(id);
    return row && entry ? [groupOf(row, entry, filters)] : [];
  });
}

/** The most telling entry of each process; where a filter is in force, of the entries that match it. */
async function representativesOf(
  rows: readonly ProcessRow[],
  filters: AuditFilters,
  bundles: Bundles,
): Promise<Map<string, LoggedEntry>> {
  if (!hasValues(filters)) {
    const telling = new Set(rows.map(({ representative_id }) => representative_id));
    const found = await bundles.byIds(rows.map(({ representative_bundle }) => representative_bundle));
    return new Map(found.flatMap((entry) => (telling.has(entry.id) ? [[entry.process_id, entry] as const] : [])));
  }
  const found = await bundles.entriesOfProcesses(rows.map(({ process_id }) => process_id));
  const groups = new Map<string, LoggedEntry[]>();
  for (const entry of found) {
    if (matches(entry, filters)) groups.set(entry.process_id, [...(groups.get(entry.process_id) ?? []), entry]);
  }
  return new Map(
    [...groups].flatMap(([id, matching]) => {
      const entry = mostTelling(matching);
      return entry ? [[id, entry] as const] : [];
    }),
  );
}

function groupOf(row: ProcessRow, entry: LoggedEntry, filters: AuditFilters): GroupedAuditEntry {
  return {
    ...asEntry(entry, parentOf(entry, row)),
    is_process_group: true,
    process_count: visibleCount(row.counts, filters),
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}
