import {
  debugRequests,
  explainedVerdictSchema,
  explanationSchema,
  missingParameters,
  orderSummarySchema,
  simulationSchema,
  testResultSchema,
  whySchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import type { Ask } from '../../http/call';
import type { Edge } from '../../http/edge';
import { idText, shortText, uncheckedRule, wholeNumberText } from '../../http/parameters';
import { route, seconds } from '../../http/route';

export const debugging = {
  tag: 'Debugging',
  access: { needs: 'manage_shop', extended: 'Rule debugging needs the extended edition.' },
} as const;

export const answered = <Data>(data: Data) => ({ body: { success: true, data } });

/** An order by its id, as a parameter of the query or of the path. */
const oneOrder = z.object({ order_id: idText });

const why = {
  ...debugging,
  description: 'One sentence, what to do next, and the entries of the log that it rests on.',
  answers: { 200: z.object({ success: z.boolean(), data: whySchema }) },
  errors: ['svc_order_not_found'],
} as const;

const { event_type, gateway, process_id } = debugRequests['debug.rule.test.v1'].input.shape;
const event = { event_type, gateway, process_id };

/** Section 4.4 of the specification. */
export const debugRoutes = [
  route('POST /pro/v1/debug-rule/test', 'Test a rule on an order', {
    ...debugging,
    body: z.strictObject({
      order_id: z.int().min(1),
      rule_data: uncheckedRule.optional(),
      rule_id: z.int().min(1).optional(),
      ...event,
    }),
    answers: { 200: z.object({ success: z.boolean(), data: testResultSchema }) },
    errors: [
      'svc_order_not_found',
      'svc_rule_not_found',
      'svc_process_not_found',
      'svc_event_not_evaluated',
      'svc_unknown_component',
      'svc_validation_failed',
    ],
    handle: async ({ body, ask }, { edition }) => {
      if (body.rule_data === undefined && body.rule_id === undefined) throw missingParameters('rule_data');
      return answered((await ask('debug.rule.test.v1', { ...body, edition })).data);
    },
  }),
  route('POST /pro/v1/debug-rule/explain', 'Explain what every rule makes of an order', {
    ...debugging,
    body: z.strictObject({
      order_id: z.int().min(1).optional(),
      ...event,
      include_disabled: z.boolean().default(false),
      verdict: explainedVerdictSchema.optional(),
      page: z.int().min(1).max(1000).default(1),
      per_page: z.int().min(1).max(200).default(50),
    }),
    answers: { 200: z.object({ success: z.boolean(), data: explanationSchema }) },
    errors: ['svc_order_not_found', 'svc_process_not_found', 'svc_event_not_evaluated'],
    handle: async ({ body, ask }, { edition }) => {
      if (body.order_id === undefined && body.process_id === undefined) throw missingParameters('order_id');
      return answered((await ask('debug.order.explain.v1', { ...body, edition })).data);
    },
  }),
  route('POST /pro/v1/debug-rule/simulate', 'Simulate an event of a gateway', {
    ...debugging,
    body: z.strictObject({
      order_id: z.int().min(1),
      event_type: z.string().min(1).max(255),
      gateway: z.string().min(1).max(200),
    }),
    answers: { 200: z.object({ success: z.boolean(), data: simulationSchema }) },
    errors: ['svc_order_not_found', 'svc_gateway_not_found', 'svc_test_not_possible'],
    timeout: seconds(30),
    handle: async ({ body, ask }, { edition }) =>
      answered((await ask('debug.order.simulate.v1', { ...body, edition })).data),
  }),
  route('GET /pro/v1/debug-rule/why', 'Say why an order stands as it does', {
    ...why,
    query: oneOrder,
    handle: ({ query, ask }, edge) => whyAnswer(query, ask, edge),
  }),
  route('GET /pro/v1/debug-rule/why/{order_id}', 'Say why an order stands as it does (its id in the address)', {
    ...why,
    params: oneOrder,
    handle: ({ params, ask }, edge) => whyAnswer(params, ask, edge),
  }),
  route('GET /pro/v1/debug-rule/search-orders', 'Find orders to test a rule on', {
    ...debugging,
    query: z.object({ search: shortText.optional(), limit: wholeNumberText(1, 50).default(20) }),
    answers: { 200: z.object({ success: z.boolean(), data: z.array(orderSummarySchema) }) },
    handle: async ({ query, ask }) => answered((await ask('debug.order.search.v1', query)).data),
  }),
] as const;

const whyAnswer = async (order: z.output<typeof oneOrder>, ask: Ask, { edition }: Edge) =>
  answered((await ask('debug.order.why.v1', { ...order, edition })).data);
