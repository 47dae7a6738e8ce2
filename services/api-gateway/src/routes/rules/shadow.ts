import type { AuditEntry, RequestInput } from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from '../../http/call';
import { idParameter, idText } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { shadowSummary, shadowSummarySchema } from './shadow-summary';

/** Entries that one answer looks at, and in one request. */
const maxPages = 10;
const limit = 1_000;

async function evaluationsOf(ids: number[], ask: Ask): Promise<{ entries: AuditEntry[]; is_truncated: boolean }> {
  const filters = { include_debug: false, include_test: false, event_type: ['rule_evaluation' as const], rule_id: ids };
  const entries: AuditEntry[] = [];
  let from_id: number | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const input: RequestInput<'audit.entry.scan.v1'> = { filters, order: 'newest', from_id, limit };
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
      const { entries, is_truncated } = await evaluationsOf(ids, ask);
      return { body: { ...shadowSummary(entries, id, against), is_truncated } };
    },
  }),
] as const;
