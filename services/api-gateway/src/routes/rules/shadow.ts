import type { AuditEntry, RequestInput } from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from '../../http/call';
import { idParameter, idText } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { shadowSummary, shadowSummarySchema } from './shadow-summary';

/** Entries that one answer looks at, and in one request. */
const maxPages = 10;
const limit = 1_000;

type Scan = RequestInput<'audit.entry.scan.v1'>;
const endTypes: Scan['filters']['event_type'] = ['process_completed', 'refund_created'];
const none = { entries: [], is_truncated: false };

/** Entries that pass the filters, newest first. */
async function newestOf(only: Partial<Scan['filters']>, ask: Ask) {
  const filters = { include_debug: false, include_test: false, ...only };
  const entries: AuditEntry[] = [];
  let from_id: number | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const input: Scan = { filters, order: 'newest', from_id, limit };
    const found = await ask('audit.entry.scan.v1', input);
    entries.push(...found.logs);
    from_id = found.next_id;
    if (from_id === null) break;
  }
  return { entries, is_truncated: from_id !== null };
}

export const shadowRoutes = [
  route('GET /v1/rules/{id}/shadow', 'See what a rule in shadow would have done', {
    tag: 'Rules',
    access: { needs: 'manage_shop' },
    params: idParameter,
    query: z.object({ against: idText.optional() }),
    answers: { 200: shadowSummarySchema },
    errors: ['svc_rule_not_found'],
    timeout: seconds(10),
    handle: async ({ params: { id }, query: { against = null }, ask }) => {
      const ids = against === null || against === id ? [id] : [id, against];
      await Promise.all(ids.map((one) => ask('rules.rule.get.v1', { id: one })));
      const { entries, is_truncated } = await newestOf({ event_type: ['rule_evaluation'], rule_id: ids }, ask);
      const date_from = entries.at(-1)?.timestamp;
      const ends = date_from === undefined ? none : await newestOf({ event_type: endTypes, date_from }, ask);
      const summary = shadowSummary(entries, ends.entries, id, against);
      return { body: { ...summary, is_truncated: is_truncated || ends.is_truncated } };
    },
  }),
] as const;
