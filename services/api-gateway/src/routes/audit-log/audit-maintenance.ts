import { auditRequests, invalidParameters, missingParameters, newProcessId } from '@order-automation/contracts';
import { z } from 'zod';
import { period } from '../../http/parameters';
import { route } from '../../http/route';

const day = 86_400_000;
const hour = 3_600_000;
const minute = 60_000;

/** The longest time that is counted by each, in milliseconds and in words. */
const longest = {
  minute: { length: 6 * hour, words: '6 hours' },
  hour: { length: 31 * day, words: '31 days' },
  day: { length: 366 * day, words: '366 days' },
} as const;

/** Of any script, as shops take them. */
const address = z.email({ pattern: z.regexes.unicodeEmail });
const by = z.enum(['minute', 'hour', 'day']);
const owner = { tag: 'Audit log', access: { needs: 'manage_shop', nonce: 'always' }, timeout: 10 * minute } as const;

/** Statistics, retention and erasure (decisions.md section 7). */
export const auditMaintenanceRoutes = [
  route('GET /v1/audit-log/stats', 'Count what happened', {
    tag: 'Audit log',
    access: { needs: 'view_shop_reports' },
    query: z.object({ ...period, by: by.default('hour') }),
    answers: { 200: auditRequests['audit.stats.get.v1'].output.extend({ from: z.string(), to: z.string(), by }) },
    handle: async ({ query, ask }, edge) => {
      const { by, to = new Date(edge.now()).toISOString() } = query;
      const { from = new Date(Date.parse(to) - (by === 'minute' ? hour : day)).toISOString() } = query;
      const length = Date.parse(to) - Date.parse(from);
      if (length < 0) throw invalidParameters([{ path: 'to', message: 'must not be before `from`' }]);
      if (length > longest[by].length)
        throw invalidParameters([{ path: 'from', message: `must be at most ${longest[by].words} before \`to\`` }]);
      const { buckets } = await ask('audit.stats.get.v1', { from, to, by });
      return { body: { from, to, by, buckets } };
    },
  }),
  route('POST /v1/audit-log/retention', 'Apply the retention of the log now', {
    ...owner,
    body: z.strictObject({ dry_run: z.boolean().default(true) }),
    answers: { 200: auditRequests['audit.retention.run.v1'].output.extend({ dry_run: z.boolean() }) },
    handle: async (call, { administration, now }) => {
      const { body, ask, identity } = call;
      const run = () =>
        ask('audit.retention.run.v1', { ...body, user: identity.name, process_id: newProcessId(now()) });
      const act = { call, event_type: 'audit_deleted', what: 'applied the retention of the log' } as const;
      // The log itself says who removed how much.
      const result = body.dry_run ? await run() : await administration.during(act, run, () => null);
      return { body: { ...body, ...result } };
    },
  }),
  route('DELETE /v1/audit-log/person', 'Erase a person from the log and from received webhooks', {
    ...owner,
    body: z.strictObject({ email: address.max(320).optional(), customer_id: z.int().positive().optional() }),
    answers: { 200: auditRequests['audit.person.erase.v1'].output.extend({ success: z.boolean() }) },
    handle: async ({ body: { email = null, customer_id = null }, identity, ask }, edge) => {
      if (email === null && customer_id === null) throw missingParameters('email or customer_id');
      const process_id = newProcessId(edge.now());
      const result = await ask('audit.person.erase.v1', { email, customer_id, user: identity.name, process_id });
      return { body: { success: true, ...result } };
    },
  }),
] as const;
