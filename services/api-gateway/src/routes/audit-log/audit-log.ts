import { auditRequests, newProcessId, ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { plainTimestamp } from '../../http/answer';
import { idText, paging, wholeNumberText } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { auditFilterParameters, processId } from './audit-filters';
import { chosenFilters, savedFilterParameter } from './audit-saved-filters';

export const auditListQuery = z.object({
  ...paging,
  view: z.enum(['consolidated', 'flat']).default('consolidated'),
  ...savedFilterParameter,
  ...auditFilterParameters,
});

const valueSchema = z.object({ value: z.string(), label: z.string() });
/** Orders among the filter options at most (section 8 of the specification). */
const maxOrders = 100;

/** A value of the log in words: `rule_evaluation` is "Rule evaluation". */
const labelled = (values: readonly string[]) =>
  values.map((value) => ({
    value,
    label: value === 'api' ? 'API' : value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' '),
  }));

const reader = { tag: 'Audit log', access: { needs: 'view_shop_reports' } } as const;
const { output: listed } = auditRequests['audit.entry.list.v1'];

/** A nonce is asked of everybody. */
const renders = { ...reader, access: { ...reader.access, nonce: 'always' } } as const;
const renderFields = {
  include_debug: z.boolean().default(false),
  /** `consolidated` renders the whole process of an entry, `flat` the entry alone. */
  view_mode: z.enum(['consolidated', 'flat']).default('consolidated'),
};
const renderedSchema = z.object({
  html: z.string(),
  meta: z.object({
    log_id: z.int(),
    process_id: z.string(),
    total_events: z.int(),
    visible_events: z.int(),
    execution_time: z.number(),
  }),
});
const modes = { consolidated: 'process', flat: 'entry' } as const;

/** Reading, deleting and rendering entries (section 4.2 of the specification), and proof that the log is whole (decisions.md section 7). */
export const auditLogRoutes = [
  route('GET /v1/audit-log', 'List the audit log', {
    ...reader,
    query: auditListQuery,
    answers: {
      200: z.object({
        logs: listed.shape.logs,
        pagination: listed.shape.pagination,
        filters: z.record(z.string(), z.unknown()),
        meta: z.object({
          execution_time: z.number(),
          timestamp: z.string(),
          consolidated_pagination: z.boolean(),
          view_mode: z.enum(['consolidated', 'flat']),
          is_truncated: z.boolean(),
        }),
      }),
    },
    errors: ['svc_filter_not_found'],
    handle: async (call, edge) => {
      const { page, per_page, view, ...chosen } = call.query;
      const { filters, echoed } = await chosenFilters(chosen, call.identity, edge);
      const query = { page, per_page, view, filters };
      const { logs, pagination, is_truncated } = await call.ask('audit.entry.list.v1', query);
      const meta = {
        execution_time: call.elapsed(),
        timestamp: plainTimestamp(edge.now()),
        consolidated_pagination: query.view === 'consolidated',
        view_mode: query.view,
        is_truncated,
      };
      return { body: { logs, pagination, filters: echoed, meta } };
    },
  }),
  route('GET /v1/audit-log/process/{process_id}', 'Read the entries of a process', {
    ...reader,
    params: z.object({ process_id: processId }),
    query: z.object({ page: paging.page, per_page: wholeNumberText(1, 500).default(500) }),
    answers: {
      200: z.object({
        ...auditRequests['audit.process.get.v1'].output.shape,
        meta: z.object({ process_id: z.string(), execution_time: z.number() }),
      }),
    },
    errors: ['svc_process_not_found'],
    handle: async ({ params, query, ask, elapsed }) => {
      const { logs, pagination } = await ask('audit.process.get.v1', { ...params, ...query });
      return { body: { logs, pagination, meta: { ...params, execution_time: elapsed() } } };
    },
  }),
  route('GET /v1/audit-log/filter-options', 'List what the log can be filtered by', {
    ...reader,
    answers: {
      200: z.object({
        filter_options: z.object({
          statuses: z.array(valueSchema),
          event_types: z.array(valueSchema),
          sources: z.array(valueSchema),
        }),
        order_ids: z.array(z.int()),
        meta: z.object({ execution_time: z.number(), timestamp: z.string(), max_results: z.int() }),
      }),
    },
    handle: async ({ ask, elapsed }, edge) => {
      const { statuses, event_types, sources, order_ids } = await ask('audit.filter-options.get.v1', {});
      const meta = { execution_time: elapsed(), timestamp: plainTimestamp(edge.now()), max_results: maxOrders };
      const filter_options = {
        statuses: labelled(statuses),
        event_types: labelled(event_types),
        sources: labelled(sources),
      };
      return { body: { filter_options, order_ids, meta } };
    },
  }),
  route('DELETE /v1/audit-log/batch-delete', 'Delete entries of the log', {
    tag: 'Audit log',
    access: { needs: 'manage_shop', nonce: 'always' },
    body: z.strictObject({ log_ids: z.array(z.int().positive()).min(1).max(100) }),
    answers: { 200: z.object({ success: z.boolean(), deleted_count: z.int(), requested_count: z.int() }) },
    errors: ['svc_no_valid_logs'],
    timeout: seconds(10),
    handle: async ({ body: { log_ids }, identity, ask }, edge) => {
      const process_id = newProcessId(edge.now());
      const { deleted_count } = await ask('audit.entry.delete.v1', { log_ids, user: identity.name, process_id });
      return { body: { success: true, deleted_count, requested_count: log_ids.length } };
    },
  }),
  route('POST /v1/audit-log/render-components', 'Render an entry, or its process, as HTML', {
    ...renders,
    body: z.strictObject({ log_id: z.int().positive(), ...renderFields }),
    answers: { 200: renderedSchema },
    errors: ['svc_log_not_found'],
    handle: async ({ body: { log_id, include_debug, view_mode }, ask, elapsed }) => {
      const input = { log_ids: [log_id], include_debug, view_mode: modes[view_mode] };
      const [found] = (await ask('audit.entry.render.v1', input)).rendered;
      if (!found) throw new ServiceError(404, 'svc_log_not_found', 'The log has no entry with this id.');
      const { html, ...meta } = found;
      return { body: { html, meta: { ...meta, execution_time: elapsed() } } };
    },
  }),
  route('POST /v1/audit-log/render-components/batch', 'Render several entries as HTML', {
    ...renders,
    body: z.strictObject({ log_ids: z.array(z.int().positive()).min(1).max(50), ...renderFields }),
    answers: { 200: z.object({ items: z.array(renderedSchema), meta: z.object({ execution_time: z.number() }) }) },
    handle: async ({ body: { log_ids, include_debug, view_mode }, ask, elapsed }) => {
      const { rendered } = await ask('audit.entry.render.v1', { log_ids, include_debug, view_mode: modes[view_mode] });
      const execution_time = elapsed();
      const items = rendered.map(({ html, ...meta }) => ({ html, meta: { ...meta, execution_time } }));
      return { body: { items, meta: { execution_time } } };
    },
  }),
  route('GET /v1/audit-log/verify', 'Prove the log whole', {
    ...reader,
    query: z.object({ from_id: idText.optional(), to_id: idText.optional() }),
    answers: { 200: auditRequests['audit.log.verify.v1'].output.omit({ next_id: true }).required() },
    timeout: seconds(600),
    handle: async ({ query: { from_id = null, to_id = null }, ask, signal }) => {
      const counts = { checked: 0, deleted: 0, erased: 0, unsealed: 0 };
      for (let next = from_id; ; ) {
        const part = { from_id: next, to_id, continues: from_id === null };
        const { next_id, ...result } = await ask('audit.log.verify.v1', part);
        for (const name of ['checked', 'deleted', 'erased', 'unsealed'] as const) counts[name] += result[name] ?? 0;
        if (next_id === null || signal.aborted) return { body: { ...result, ...counts } };
        next = next_id;
      }
    },
  }),
  route('GET /v1/audit-log/heads', 'List signed heads of the log', {
    ...reader,
    query: z.object({ limit: wholeNumberText(1, 100).default(20) }),
    answers: { 200: auditRequests['audit.head.list.v1'].output },
    handle: ({ query, answer }) => answer('audit.head.list.v1', query),
  }),
] as const;
