import { z } from 'zod';
import type { Edge } from './edge';
import { idText, parseQuery } from './parameters';
import type { Route } from './route';
import { executionTime } from './times';

const componentsQuery = z.object({ rule_id: idText.optional() });

/** Section 4.1 of the specification: what rules can be built from. */
export function componentRoutes(edge: Edge): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/rule-builder/components',
      access: { needs: 'manage_shop' },
      handle: async (call) => {
        const { rule_id } = parseQuery(componentsQuery, call.query);
        const components = await edge.ask('rules.component.list.v1', {
          rule_id: rule_id ?? null,
          edition: edge.edition,
        });
        const meta = {
          execution_time: executionTime(call.elapsed()),
          timestamp: new Date(edge.now()).toISOString(),
        };
        return { body: { ...components, meta } };
      },
    },
  ];
}
