import {
  type Answer,
  type AuditEntry,
  type AuditFilters,
  type GroupedAuditEntry,
  paginate,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import { z } from 'zod';
import { isCounted } from '../counts/totals';
import type { Log } from '../log';
import {
  compare,
  inOrder,
  type ProcessRow,
  parentOf,
  representativeOf,
  visible,
  visibleCount,
} from '../processes/process-row';
import { type Processes, type ProcessStart, processNotFound } from '../processes/processes';
import { type Entry, entryOf } from '../records/entry';
import { aspectsOf } from '../records/facets';
import { entriesOf } from '../records/log-record';
import { hasValues, matches, type Selection } from './selection';
import { take, walkRanges } from './walk';

type Input = RequestInput<'audit.entry.list.v1'>;
type Output = RequestOutput<'audit.entry.list.v1'>;

/** Section 4.2 of the specification: the consolidated view ends here. */
const maxGroups = 500;
/** A search counts and shows no more than this many entries: what it looks at is bounded. */
const maxFound = 2_000;
/** Entries looked at for one filtered view at most: past these it is cut, and says so. */
const maxLookedAt = 20_000;

export const listEntries = (input: Input, deps: Log): Promise<Output> =>
  input.view === 'flat' ? listFlat(input, deps) : listConsolidated(input, deps);

/** Entries of a page, how many the view has, and whether there are more than it counts. */
type Picked = { readonly found: readonly Entry[]; readonly total: number; readonly more: boolean };

/** Raw rows, in the order of recording, the latest first. */
async function listFlat({ page, per_page, filters }: Input, deps: Log): Promise<Output> {
  const selection = await deps.select(filters);
  const wanted = { skip: (page - 1) * per_page, limit: per_page };
  const { found, total, more } = await (isCounted(filters) ? locate : pick)(selection, wanted, deps);
  const logs = await withParents(found, deps.processes);
  return { logs, pagination: paginate(total, page, per_page), is_truncated: more };
}

type Part = { readonly skip: number; readonly limit: number };

/** A page of entries that ranges of ids count. */
async function locate(selection: Selection, { skip, limit }: Part, { records, totals }: Log): Promise<Picked> {
  const { total, ...position } = await totals.locate(selection, skip);
  // The last page ends with its last entry, not at the beginning of the log.
  const left = Math.min(limit, total - skip);
  const ranges = left > 0 ? await totals.rangesOf(selection.filters) : [];
  return { found: await take(selection, position, left, records, ranges), total, more: false };
}

/** A page of few entries, which are looked at and counted one by one. */
async function pick(selection: Selection, { skip, limit }: Part, { records, totals }: Log): Promise<Picked> {
  const found: Entry[] = [];
  let total = 0;
  const max = selection.sought ? maxFound : Number.POSITIVE_INFINITY;
  for await (const batch of walkRanges(selection, await totals.rangesOf(selection.filters), records)) {
    for (const [index, entry] of batch.entries()) {
      const at = total + index;
      if (at >= skip && at < skip + limit && at < max) found.push(entry);
    }
    total += batch.length;
    if (total > max) return { found, total: max, more: true };
  }
  return { found, total, more: false };
}

export async function withParents(found: readonly Entry[], processes: Processes): Promise<AuditEntry[]> {
  const rows = await processes.rows([...new Set(found.map(({ process_id }) => process_id))]);
  return found.map((entry) => entryOf(entry, parentOf(entry, rows.get(entry.process_id))));
}

/** One row a process, by the time it began, the latest first. */
async function listConsolidated(input: Input, deps: Log): Promise<Output> {
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
  const shown = starts.slice(0, maxGroups);
  const ids = shown.slice((page - 1) * per_page, page * per_page).map(({ _id }) => _id);
  return { ids, total: shown.length, more: more || starts.length > maxGroups };
}

async function timeline(input: Input, { processes }: Log): Promise<Page> {
  const [first = 'normal', ...others] = visible(input.filters);
  if (others.length === 0 && (await processes.timeline(first, maxGroups, 1)).length > 0) {
    // Of a view that is full only the page is read.
    const skip = (input.page - 1) * input.per_page;
    const limit = Math.min(input.per_page, maxGroups - skip);
    const found = limit > 0 ? await processes.timeline(first, skip, limit) : [];
    return { ids: found.map(({ _id }) => _id), total: maxGroups, more: true };
  }
  const walks = [first, ...others].map((visibility) => processes.timeline(visibility, 0, maxGroups + 1));
  return pageOf({ starts: (await Promise.all(walks)).flat().sort(latestFirst), more: false }, input);
}

/** Processes with an entry that matches: those of the latest such entries, at most one more than the view shows. */
async function matchingProcesses(filters: AuditFilters, deps: Log): Promise<Found> {
  const { records, processes, totals } = deps;
  const selection = await deps.select(filters);
  const ids = new Set<string>();
  let looked = 0;
  const found = async (more: boolean): Promise<Found> => ({
    starts: [...(await processes.rows([...ids])).values()].sort(latestFirst),
    more,
  });
  for await (const batch of walkRanges(selection, await totals.rangesOf(filters), records)) {
    for (const { process_id } of batch) if (ids.size <= maxGroups) ids.add(process_id);
    looked += batch.length;
    if (ids.size > maxGroups) return found(false);
    if (looked >= maxLookedAt) return found(true);
  }
  return found(false);
}

async function groups(ids: readonly string[], filters: AuditFilters, deps: Log): Promise<GroupedAuditEntry[]> {
  const rows = await deps.processes.rows(ids);
  const representatives = await representativesOf([...rows.values()], filters, deps);
  return ids.flatMap((id) => {
    const [row, entry] = [rows.get(id), representatives.get(id)];
    return row && entry ? [groupOf(row, entry, filters)] : [];
  });
}

/** The most important entry of each process; where a filter is in force, of the entries that match it. */
async function representativesOf(
  rows: readonly ProcessRow[],
  filters: AuditFilters,
  { records, select }: Log,
): Promise<Map<string, Entry>> {
  const byEntry = (entries: readonly Entry[]) => new Map(entries.map((entry) => [entry.process_id, entry]));
  if (!hasValues(filters)) {
    const wanted = new Set(rows.map(({ representative_id }) => representative_id));
    const found = await records.byIds(rows.map(({ representative_record }) => representative_record));
    const entries = found.flatMap(entriesOf).filter(({ _id }) => wanted.has(_id));
    return byEntry([...entries, ...(await lastDeliveries(entries, records))]);
  }
  const selection = await select(filters);
  const matching = (entries: readonly Entry[]) => entries.filter((one) => matches(one, selection));
  const all = await records.byProcess(rows.map(({ _id }) => _id));
  const entries = [...all.values()].flatMap((found) => representativeOf(matching(found)) ?? []);
  return byEntry([...entries, ...matching(await lastDeliveries(entries, records))]);
}

function groupOf(row: ProcessRow, entry: Entry, filters: AuditFilters): GroupedAuditEntry {
  return {
    ...entryOf(entry, parentOf(entry, row)),
    is_process_group: true,
    process_count: visibleCount(row.counts, filters),
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}

const outcomeSchema = z.object({ actions_open: z.int().positive() });
const deliverySchema = z.object({ delivery: z.object({ id: z.string() }), result: z.literal('delivered') });

/**
 * An outcome with calls or e-mails that were still to be delivered gives way to the last of them once all are delivered. Those that were
 * given up are errors, which stand for their process anyway.
 */
async function lastDeliveries(outcomes: readonly Entry[], { byProcess }: Log['records']): Promise<Entry[]> {
  const open = new Map(
    outcomes.flatMap(({ process_id, facet, details }) => {
      const { event_type, status } = aspectsOf(facet);
      if (event_type !== 'process_completed' || status !== 'pending') return [];
      const outcome = outcomeSchema.safeParse(details);
      return outcome.success ? [[process_id, outcome.data.actions_open] as const] : [];
    }),
  );
  if (open.size === 0) return [];
  return [...(await byProcess([...open.keys()]))].flatMap(([process, entries]) => {
    const delivered = new Map(
      inOrder(entries).flatMap((entry) => {
        const delivery = deliverySchema.safeParse(entry.details);
        return delivery.success ? [[delivery.data.delivery.id, entry] as const] : [];
      }),
    );
    const last = [...delivered.values()].at(-1);
    return last && delivered.size >= (open.get(process) ?? 0) ? [last] : [];
  });
}

/** A page of the entries of one process, in the order of what happened (section 4.2 of the specification). */
export const processView: Answer<'audit.process.get.v1', Log> = async (
  { process_id, page, per_page },
  { records, processes },
) => {
  const all = inOrder(await records.ofProcesses([process_id]));
  if (all.length === 0) throw processNotFound();
  const row = (await processes.rows([process_id])).get(process_id);
  const shown = all.slice((page - 1) * per_page, page * per_page);
  return {
    logs: shown.map((entry) => entryOf(entry, parentOf(entry, row))),
    pagination: paginate(all.length, page, per_page),
  };
};
