import { orderSummarySchema, testResultSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { exampleRule } from './example-rule';
import { checkedBehind, present, shortText, wholeNumberText } from './parameters';
import { route } from './route';

const extended = { tag: 'Debugging', access: { needs: 'manage_shop', extended: true } } as const;

/** Section 4.4 of the specification. */
export const debugRoutes = [
  route({
    ...extended,
    method: 'POST',
    path: '/pro/v1/debug-rule/test',
    summary: 'Test a rule on an order',
    description:
      'The rule need not be saved. Nothing is changed; every condition says what it wanted and what it found.',
    body: z.strictObject({ order_id: z.int().min(1), rule_data: checkedBehind('RuleData') }),
    answers: { 200: z.object({ success: z.boolean(), data: testResultSchema }) },
    errors: ['svc_order_not_found', 'svc_unknown_component', 'svc_validation_failed'],
    example: { body: { order_id: 1001, rule_data: exampleRule } },
    handle: async ({ body, ask }, { edition }) => {
      const { data } = await ask('debug.rule.test.v1', { ...body, edition });
      return { body: { success: true, data } };
    },
  }),
  route({
    ...extended,
    method: 'GET',
    path: '/pro/v1/debug-rule/search-orders',
    summary: 'Find orders to test a rule on',
    query: z.object({ search: shortText.optional(), limit: wholeNumberText(1, 50).default(20) }),
    answers: { 200: z.object({ success: z.boolean(), data: z.array(orderSummarySchema) }) },
    example: { query: { search: '1001' } },
    handle: async ({ query: { search, limit }, ask }) => {
      const { data } = await ask('debug.order.search.v1', { limit, ...present({ search }) });
      return { body: { success: true, data } };
    },
  }),
] as const;
