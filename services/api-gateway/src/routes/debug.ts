import { z } from 'zod';
import type { Edge } from './edge';
import { parseQuery, present, shortText, wholeNumberText } from './parameters';
import type { Route } from './route';

const testBody = z.object({ order_id: z.int().min(1), rule_data: z.unknown().nonoptional() });
const searchQuery = z.object({ search: shortText.optional(), limit: wholeNumberText(1, 50).default(20) });

/** Section 4.4 of the specification. */
export function debugRoutes(edge: Edge): readonly Route[] {
  const access = { needs: 'manage_shop', extended: true } as const;
  return [
    {
      method: 'POST',
      path: '/pro/v1/debug-rule/test',
      access,
      handle: async (call) => {
        const { order_id, rule_data } = testBody.parse(call.body ?? {});
        const { data } = await edge.ask('debug.rule.test.v1', { order_id, rule_data, edition: edge.edition });
        return { body: { success: true, data } };
      },
    },
    {
      method: 'GET',
      path: '/pro/v1/debug-rule/search-orders',
      access,
      handle: async (call) => {
        const { search, limit } = parseQuery(searchQuery, call.query);
        const { data } = await edge.ask('debug.order.search.v1', { limit, ...present({ search }) });
        return { body: { success: true, data } };
      },
    },
  ];
}
