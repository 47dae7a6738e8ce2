import { auditRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { page, perPage, wholeNumberText } from '../../http/parameters';
import { route } from '../../http/route';
import { executionTime, plainTimestamp } from '../../http/times';
import { auditFilterParameters, processId } from './audit-filters';
import { chosenFilters, savedFilterParameter } from './audit-saved-filters';

export const auditListQuery = z.object({
  page,
  per_page: perPage,
  view: z.enum(['consolidated', 'flat']).default('consolidated'),
  ...savedFilterParameter,
  ...auditFilterParameters,
});

const valueSchema = z.object({ value: z.string(), label: z.string() });
/** Orders among the filter options at most (section 8 of the specification). */
const maxOrders = 100;

/** A value of the log in words: `rule_evaluation` is "Rule evaluation". */
const labelled = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ') }));

const reader = { tag: 'Audit log', access: { needs: 'view_shop_reports' } } as const;
const { output: listed } = auditRequests['audit.entry.list.v1'];

/** Section 4.2 of the specification. */
export const auditLogRoutes = [
  route('GET /v1/audit-log', 'List the audit log', {
    ...reader,
    description:
      'Newest first. `consolidated` shows one row a process, at most 500; `flat` shows every entry. `filter` is the id of a saved filter; parameters beside it take the place of its own.',
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
        execution_time: executionTime(call.elapsed()),
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
    description: 'All that followed from one webhook or one change, in the order in which it happened.',
    params: z.object({ process_id: processId }),
    query: z.object({ page, per_page: wholeNumberText(1, 500).default(500) }),
    answers: {
      200: z.object({
        ...auditRequests['audit.process.get.v1'].output.shape,
        meta: z.object({ process_id: z.string(), execution_time: z.number() }),
      }),
    },
    errors: ['svc_process_not_found'],
    example: { params: { process_id: 'proc_01KA2Z5X8Q7R9T3V5W7Y9A1C3E' } },
    handle: async ({ params, query, ask, elapsed }) => {
      const { logs, pagination } = await ask('audit.process.get.v1', { ...params, ...query });
      return { body: { logs, pagination, meta: { ...params, execution_time: executionTime(elapsed()) } } };
    },
  }),
  route('GET /v1/audit-log/filter-options', 'List what the log can be filtered by', {
    ...reader,
    description:
      'The statuses, event types and sources that entries have now, and the 100 most recent orders with entries.',
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
      const meta = {
        execution_time: executionTime(elapsed()),
        timestamp: plainTimestamp(edge.now()),
        max_results: maxOrders,
      };
      const filter_options = {
        statuses: labelled(statuses),
        event_types: labelled(event_types),
        sources: labelled(sources),
      };
      return { body: { filter_options, order_ids, meta } };
    },
  }),
] as const;
