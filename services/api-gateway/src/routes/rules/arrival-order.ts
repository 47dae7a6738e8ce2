import { evaluationRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { checkedBehind } from '../../http/parameters';
import { route, seconds } from '../../http/route';
import { exampleRule } from './example-rule';

const draft = z.strictObject({
  rule_id: z.int().min(1).optional(),
  name: z.string().max(200).default('This rule'),
  stop_processing: z.boolean().default(false),
  rule: checkedBehind('RuleData'),
});

/** Whether rules make the same of webhooks in whatever order these arrive. */
export const arrivalOrderRoutes = [
  route('POST /v1/rules/arrival-order', 'Find rules that depend on the order of arrival', {
    tag: 'Rules',
    access: { needs: 'manage_shop' },
    description:
      'Gateways deliver late, twice, and in any order. Tries up to four webhooks of a payment, and one of them twice, in every order on orders that are made up, and names the rules that leave the order in another state, with the shortest two sequences that show it. A late or outdated webhook that does nothing on purpose is no finding. Looks at the enabled rules (100 at most), and at a `draft` as if it were enabled: in the place of the rule `rule_id`, else after the last one. `unreached` are rules whose conditions no order fulfilled. Nothing is changed.',
    body: z.strictObject({ draft: draft.optional() }),
    answers: { 200: evaluationRequests['evaluation.arrival-order.check.v1'].output },
    errors: ['svc_unknown_component', 'svc_validation_failed', 'svc_licence_required'],
    timeout: seconds(30),
    example: { body: { draft: { name: 'Complete paid orders over 50', rule: exampleRule } } },
    handle: async ({ body, ask }, { edition }) => {
      const { rule_id = null, ...given } = body.draft ?? {};
      const asked = body.draft ? { ...body.draft, ...given, id: rule_id } : null;
      return { body: await ask('evaluation.arrival-order.check.v1', { draft: asked, edition }) };
    },
  }),
] as const;
