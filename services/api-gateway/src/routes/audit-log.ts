import {
  auditEventTypeSchema,
  auditRequests,
  auditSourceSchema,
  auditStatusSchema,
  type RequestInput,
} from '@order-automation/contracts';
import { z } from 'zod';
import { booleanText, page, perPage, present, wholeNumberText } from './parameters';
import { route } from './route';
import { executionTime, plainTimestamp } from './times';

const processId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be a process id');
const anyInteger = wholeNumberText(-999_999_999_999_999, 999_999_999_999_999);
const notYet = z.undefined('this filter is not part of this version');

/** Several values of one filter, separated by commas. */
const several = <T extends z.ZodType<unknown, string>>(value: T) =>
  z
    .string()
    .max(2_000)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(value as z.ZodType<z.output<T>, string>).max(20, 'must have at most 20 values'));

/** A time with its zone, or a day (UTC), of which the given end counts. */
const moment = (end: string) =>
  z
    .string()
    .transform((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${end}` : text))
    .pipe(
      z.iso.datetime({
        offset: true,
        error: 'must be a day such as 2026-02-01 or a time such as 2026-02-01T10:00:00Z',
      }),
    )
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a day or a time that exists')
    .transform((text) => new Date(text).toISOString());

export const auditListQuery = z.object({
  page,
  per_page: perPage,
  view: z.enum(['consolidated', 'flat']).default('consolidated'),
  include_debug: booleanText.default(false),
  include_test: booleanText.default(false),
  source: several(auditSourceSchema).optional(),
  status: several(auditStatusSchema).optional(),
  event_type: several(auditEventTypeSchema).optional(),
  order_id: several(anyInteger).optional(),
  rule_id: several(anyInteger).optional(),
  process_id: several(processId).optional(),
  search: notYet.optional(),
  date_from: moment('T00:00:00.000Z').optional(),
  date_to: moment('T23:59:59.999Z').optional(),
});

const reader = { tag: 'Audit log', access: { needs: 'view_shop_reports' } } as const;
const { output: listed } = auditRequests['audit.entry.list.v1'];

/** Section 4.2 of the specification. */
export const auditLogRoutes = [
  route({
    ...reader,
    method: 'GET',
    path: '/v1/audit-log',
    summary: 'List the audit log',
    description: 'Newest first. `consolidated` shows one row a process, at most 500; `flat` shows every entry.',
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
    handle: async (call, edge) => {
      const { query, filters } = listRequest(call.query);
      const { logs, pagination, is_truncated } = await call.ask('audit.entry.list.v1', query);
      const meta = {
        execution_time: executionTime(call.elapsed()),
        timestamp: plainTimestamp(edge.now()),
        consolidated_pagination: query.view === 'consolidated',
        view_mode: query.view,
        is_truncated,
      };
      return { body: { logs, pagination, filters, meta } };
    },
  }),
  route({
    ...reader,
    method: 'GET',
    path: '/v1/audit-log/process/{process_id}',
    summary: 'Read every entry of a process',
    description: 'All that followed from one webhook or one change, oldest first.',
    params: z.object({ process_id: processId }),
    answers: {
      200: z.object({
        logs: auditRequests['audit.process.get.v1'].output.shape.logs,
        meta: z.object({ process_id: z.string(), execution_time: z.number() }),
      }),
    },
    errors: ['svc_process_not_found'],
    example: { params: { process_id: 'proc_01KA2Z5X8Q7R9T3V5W7Y9A1C3E' } },
    handle: async ({ params, ask, elapsed }) => {
      const { logs } = await ask('audit.process.get.v1', params);
      return { body: { logs, meta: { ...params, execution_time: executionTime(elapsed()) } } };
    },
  }),
] as const;

/** The request to audit, and the filters in force as they are echoed: those that the caller has set. */
export function listRequest({
  page,
  per_page,
  view,
  include_debug,
  include_test,
  search: _s,
  ...chosen
}: z.infer<typeof auditListQuery>): {
  query: RequestInput<'audit.entry.list.v1'>;
  filters: Record<string, unknown>;
} {
  const filters = present(chosen);
  const echoed = Object.entries(filters).map(([name, value]) => [
    name,
    Array.isArray(value) && value.length === 1 ? value[0] : value,
  ]);
  return {
    query: { page, per_page, view, filters: { include_debug, include_test, ...filters } },
    filters: Object.fromEntries(echoed),
  };
}
