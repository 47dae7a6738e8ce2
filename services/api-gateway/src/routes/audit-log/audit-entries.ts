import { newProcessId, ServiceError } from '@order-automation/contracts';
import { z } from 'zod';
import { route } from '../../http/route';
import { executionTime } from '../../http/times';

const tag = 'Audit log';
const seconds = 1_000;

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

/** Deleting and rendering entries (section 4.2 of the specification). A nonce is asked of everybody. */
export const auditEntryRoutes = [
  route('DELETE /v1/audit-log/batch-delete', 'Delete entries of the log', {
    tag,
    access: { needs: 'manage_shop', nonce: 'always' },
    description: 'At most 100 ids; those that are not in the log are skipped. The deletion is itself recorded.',
    body: z.strictObject({ log_ids: z.array(z.int().positive()).min(1).max(100) }),
    answers: { 200: z.object({ success: z.boolean(), deleted_count: z.int(), requested_count: z.int() }) },
    errors: ['svc_no_valid_logs'],
    example: { body: { log_ids: [1] } },
    timeout: 10 * seconds,
    handle: async ({ body: { log_ids }, identity, ask }, edge) => {
      const process_id = newProcessId(edge.now());
      const { deleted_count } = await ask('audit.entry.delete.v1', { log_ids, user: identity.name, process_id });
      return { body: { success: true, deleted_count, requested_count: log_ids.length } };
    },
  }),
  route('POST /v1/audit-log/render-components', 'Render an entry, or its process, as HTML', {
    tag,
    access: { needs: 'view_shop_reports', nonce: 'always' },
    body: z.strictObject({ log_id: z.int().positive(), ...renderFields }),
    answers: { 200: renderedSchema },
    errors: ['svc_log_not_found'],
    example: { body: { log_id: 1, include_debug: false, view_mode: 'consolidated' } },
    handle: async ({ body: { log_id, include_debug, view_mode }, ask, elapsed }) => {
      const input = { log_ids: [log_id], include_debug, view_mode: modes[view_mode] };
      const [found] = (await ask('audit.entry.render.v1', input)).rendered;
      if (!found) throw new ServiceError(404, 'svc_log_not_found', 'The log has no entry with this id.');
      const { html, ...meta } = found;
      return { body: { html, meta: { ...meta, execution_time: executionTime(elapsed()) } } };
    },
  }),
  route('POST /v1/audit-log/render-components/batch', 'Render several entries as HTML', {
    tag,
    access: { needs: 'view_shop_reports', nonce: 'always' },
    description: 'At most 50 ids; those that are not in the log are left out.',
    body: z.strictObject({ log_ids: z.array(z.int().positive()).min(1).max(50), ...renderFields }),
    answers: { 200: z.object({ items: z.array(renderedSchema), meta: z.object({ execution_time: z.number() }) }) },
    example: { body: { log_ids: [1, 2] } },
    handle: async ({ body: { log_ids, include_debug, view_mode }, ask, elapsed }) => {
      const { rendered } = await ask('audit.entry.render.v1', { log_ids, include_debug, view_mode: modes[view_mode] });
      const execution_time = executionTime(elapsed());
      const items = rendered.map(({ html, ...meta }) => ({ html, meta: { ...meta, execution_time } }));
      return { body: { items, meta: { execution_time } } };
    },
  }),
] as const;
