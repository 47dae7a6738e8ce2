import { arrivalOrderRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { uncheckedRule } from '../../http/parameters';
import { route, seconds } from '../../http/route';

const draft = z.strictObject({
  rule_id: z.int().min(1).optional(),
  name: z.string().max(200).default('This rule'),
  stop_processing: z.boolean().default(false),
  rule: uncheckedRule,
});

/** Whether rules make the same of webhooks in whatever order these arrive. */
export const arrivalOrderRoutes = [
  route('POST /v1/rules/arrival-order', 'Find rules that depend on the order of arrival', {
    tag: 'Rules',
    access: { needs: 'manage_shop' },
    body: z.strictObject({ draft: draft.optional() }),
    answers: { 200: arrivalOrderRequests['evaluation.arrival-order.check.v1'].output },
    errors: ['svc_rule_not_found', 'svc_unknown_component', 'svc_validation_failed', 'svc_licence_required'],
    timeout: seconds(30),
    handle: async ({ body, ask }, { edition }) => {
      const draft = body.draft ? { ...body.draft, id: body.draft.rule_id ?? null } : null;
      if (draft?.id) await ask('rules.rule.get.v1', { id: draft.id });
      return { body: await ask('evaluation.arrival-order.check.v1', { draft, edition }) };
    },
  }),
] as const;
