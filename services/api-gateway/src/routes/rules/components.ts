import { rulesRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { idText } from '../../http/parameters';
import { route } from '../../http/route';
import { executionTime } from '../../http/times';

/** Section 4.1 of the specification: what rules can be built from. */
export const componentRoutes = [
  route('GET /v1/rule-builder/components', 'List the components that rules are built from', {
    description: 'Each has a JSON Schema of its settings, from which a form can be generated.',
    tag: 'Components',
    access: { needs: 'manage_shop' },
    query: z.object({ rule_id: idText.optional() }),
    errors: ['svc_rule_not_found'],
    answers: {
      200: rulesRequests['rules.component.list.v1'].output.extend({
        meta: z.object({ execution_time: z.number(), timestamp: z.iso.datetime() }),
      }),
    },
    handle: async ({ query, ask, elapsed }, { edition, now }) => {
      const components = await ask('rules.component.list.v1', { rule_id: query.rule_id ?? null, edition });
      const meta = { execution_time: executionTime(elapsed()), timestamp: new Date(now()).toISOString() };
      return { body: { ...components, meta } };
    },
  }),
] as const;
