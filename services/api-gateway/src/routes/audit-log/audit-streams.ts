import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AuditEntry,
  type AuditFilters,
  invalidParameters,
  type RequestInput,
  type RequestOutput,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from '../../http/call';
import type { Edge } from '../../http/edge';
import { booleanText, present } from '../../http/parameters';
import { route, streamOf } from '../../http/route';
import { auditFilterParameters, type ChosenFilters } from './audit-filters';
import { chosenFilters, savedFilterParameter } from './audit-saved-filters';
import { csvHeader, csvLine } from './csv';
import csvColumns from './csv-columns.json';
import { pageTimeout, provedExport } from './proved-export';

const reader = { tag: 'Audit log', access: { needs: 'view_shop_reports' } } as const;

const pageSize = 500;
/** Milliseconds between two looks for new entries, and between two looks for such that were recorded late. */
const lookEvery = 500;
const lookBackEvery = 5_000;
const heartbeatEvery = 15_000;

const columns = csvColumns as (keyof AuditEntry)[];

/** The log as a stream: all of it, or what is being recorded (decisions.md section 7). */
export const auditStreamRoutes = [
  route('GET /v1/audit-log/export', 'Export the log', {
    ...reader,
    query: z.object({
      format: z.enum(['ndjson', 'csv']).default('ndjson'),
      proof: booleanText.optional().meta({ type: 'boolean', default: false }),
      ...savedFilterParameter,
      ...auditFilterParameters,
    }),
    errors: ['svc_filter_not_found', 'svc_log_not_sealed', 'svc_log_not_provable'],
    ...streamOf('application/x-ndjson', 'text/csv'),
    handle: async ({ query: { format, proof, ...chosen }, identity, ask, signal }, edge) => {
      if (proof === true) return proved(format, chosen, edge, signal);
      const { filters } = await chosenFilters(chosen, identity, edge);
      const counted = await ask('audit.entry.list.v1', { view: 'flat', page: 1, per_page: 1, filters });
      const csv = format === 'csv';
      const headers = {
        'Content-Type': csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        'Content-Disposition': `attachment; filename="audit-log.${format}"`,
        'X-Total-Count': String(counted.pagination.total),
      };
      return { body: exported(edge, filters, csv, signal), headers };
    },
  }),
  route('GET /v1/audit-log/stream', 'Follow the log', {
    ...reader,
    query: z.object({ ...savedFilterParameter, ...auditFilterParameters }),
    errors: ['svc_filter_not_found'],
    ...streamOf('text/event-stream'),
    handle: async ({ query, identity, header, signal }, edge) => {
      const { filters } = await chosenFilters(query, identity, edge);
      const last = header('last-event-id');
      const from = last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : await newestId(edge);
      return { body: followed(edge, filters, from, signal), headers: { 'X-Accel-Buffering': 'no' } };
    },
  }),
] as const;

/** An export with proof. A proof is of a range: filters that leave entries out are refused. */
async function proved(format: string, chosen: Record<string, unknown>, edge: Edge, signal: AbortSignal) {
  const { date_from = null, date_to = null, ...filters } = chosen as ChosenFilters;
  const refusals = Object.keys(present(filters)).map((name) => ({
    path: name,
    message: 'cannot be joined with `proof`: it is of every entry in a range',
  }));
  if (format !== 'ndjson') refusals.push({ path: 'format', message: 'must be ndjson with `proof`' });
  if (refusals.length > 0) throw invalidParameters(refusals);
  const ask: Ask = (type, input) => edge.ask(type, input, pageTimeout);
  const opened = await ask('audit.export.open.v1', { date_from, date_to });
  const headers = {
    'Content-Disposition': 'attachment; filename="audit-log-proved.ndjson"',
    'X-Total-Count': String(opened.entries),
  };
  return { body: provedExport(opened, ask, signal), headers };
}

type Walk = Pick<RequestInput<'audit.entry.scan.v1'>, 'order' | 'from_id'> & { readonly limit?: number };
const pageAt = (edge: Edge, filters: AuditFilters, walk: Walk): Promise<RequestOutput<'audit.entry.scan.v1'>> =>
  edge.ask('audit.entry.scan.v1', { filters, limit: pageSize, ...walk }, pageTimeout);

async function* exported(edge: Edge, filters: AuditFilters, csv: boolean, signal: AbortSignal): AsyncGenerator<string> {
  if (csv) yield csvHeader(columns);
  let from: number | null = null;
  do {
    const page = await pageAt(edge, filters, { order: 'newest', from_id: from });
    const lines = page.logs.map((entry) => (csv ? csvLine(entry, columns) : `${JSON.stringify(entry)}\n`));
    if (lines.length > 0) yield lines.join('');
    from = page.next_id;
  } while (from !== null && !signal.aborted);
}

async function newestId(edge: Edge): Promise<number> {
  const filters = { include_debug: true, include_test: true };
  const { logs } = await pageAt(edge, filters, { order: 'newest', from_id: null, limit: 1 });
  return logs[0]?.id ?? 0;
}

/**
 * New entries as they are recorded. Instances of audit record in ids that they take in blocks, so an entry with a lower id may come after one
 * with a higher: the event id is therefore the id below which nothing comes any more, and the range above it is looked at again.
 */
async function* followed(edge: Edge, filters: AuditFilters, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let [settled, highest] = [from, from];
  const sent = new Set<number>();
  // The first look settles what it finds, so that a reader who reconnects often does not begin at the same entry each time.
  let [lookedBack, heard] = [Number.NEGATIVE_INFINITY, edge.now()];
  yield 'retry: 2000\n\n';
  while (!signal.aborted) {
    const back = edge.now() - lookedBack >= lookBackEvery;
    if (back) lookedBack = edge.now();
    for (let at: number | null = back ? settled : highest; at !== null && !signal.aborted; ) {
      const page = await pageAt(edge, filters, { order: 'oldest', from_id: at });
      const fresh = page.logs.filter(({ id }) => !sent.has(id));
      for (const entry of fresh) {
        sent.add(entry.id);
        yield `id: ${settled}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`;
      }
      if (fresh.length > 0) heard = edge.now();
      highest = Math.max(highest, page.next_id ?? highest);
      at = page.next_id;
      if (back && at === null) settled = Math.max(settled, Math.min(page.settled_below - 1, highest));
    }
    for (const id of sent) if (id <= settled) sent.delete(id);
    if (edge.now() - heard >= heartbeatEvery) {
      heard = edge.now();
      yield `id: ${settled}\n\n`;
    }
    await sleep(lookEvery, undefined, { signal }).catch(() => undefined);
  }
}
