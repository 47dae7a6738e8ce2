import { type OrderContext, orderSchema, type RuleData, testResultSchema } from '@order-automation/contracts';
import { builtInComponents, compileRule, createRegistry } from '@order-automation/engine';
import { namedOccurrence } from '../readers/named-occurrence';
import { testRule, unsavedRecord } from './rule-test';

const time = '2026-01-05T23:30:09.000Z';
const context = (overrides: Record<string, unknown> = {}): OrderContext => ({
  order: orderSchema.parse({
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: time,
    date_modified: time,
    payment_method: 'card',
    billing: {},
    shipping: {},
    line_items: [{ product_id: 11, quantity: 1 }],
    ...overrides,
  }),
  products: [{ id: 11, name: 'E-book', type: 'simple', category_ids: [], tag_ids: [] }],
});
const rule: RuleData = {
  trigger: { id: 'order_processing', settings: {} },
  conditions: [
    { id: 'order_total', settings: { operator: 'gt', amount: 50 } },
    { id: 'product_type', settings: { types: ['simple'] } },
  ],
  primaryAction: { id: 'change_status_to_completed', settings: {} },
  secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Paid {{order.total}}' } }],
};

const registry = createRegistry(builtInComponents);
const run = (of: OrderContext) =>
  testRule(compileRule(unsavedRecord(rule, 0), registry), {
    context: of,
    occurrence: null,
    customer: null,
    now: 0,
    timeZone: 'UTC',
  });

test('a rule that does not match evaluates every condition and says what is missing', () => {
  const result = run(context());
  expect(testResultSchema.parse(result)).toEqual(result);
  expect(result).toMatchObject({
    matched: false,
    trigger: { id: 'order_processing', would_fire: true },
    conditions: [
      { id: 'order_total', label: 'Order total', result: 'fail', expected: 'more than 50.00', actual: '49.00' },
      { id: 'product_type', result: 'pass' },
    ],
    would_run: [],
    suggestions: ['order total is 49.00, the rule needs more than 50.00'],
    order_details: { id: 7, total: '49.00', payment_method: 'card', customer_id: 0, date_created: time },
  });
});

test('a rule that matches says what it would do', () => {
  const result = run(context({ total: '50.01' }));
  expect(result).toMatchObject({
    matched: true,
    suggestions: [],
    would_run: [
      {
        id: 'change_status_to_completed',
        changes: [{ field: 'status', from: 'processing', to: 'completed' }],
        message: 'change status from processing to completed',
      },
      { id: 'add_order_note', changes: [{ field: 'notes', from: null, to: 'Paid 50.01' }] },
    ],
  });
});

test('an order past processing does not fire the trigger, whatever the conditions say: it does not match', () => {
  const result = run(context({ total: '99.00', status: 'completed' }));
  expect(result).toMatchObject({
    matched: false,
    reason: expect.stringMatching(/does not run: .*status completed/),
    trigger: { would_fire: false },
    would_run: [],
    changes: [{ field: 'order.status', from: 'completed', to: expect.any(String) }],
    suggestions: [expect.stringContaining('it would fire if the order were in status')],
  });
});

// `charge.refunded` is an event of the card gateway (section 6.1 of the specification), and a refund.
test('a rule on an event of a gateway is tried on what that gateway sends', () => {
  const listens = { id: 'webhook_event', settings: { event_types: ['charge.refunded'] } };
  const conditions = [
    { id: 'source_gateway', settings: { gateways: ['gateway_card'] } },
    { id: 'event_type', settings: { event_types: ['payment_refunded'] } },
  ];
  const compiled = compileRule(unsavedRecord({ ...rule, trigger: listens, conditions }, 0), registry);
  const facts = { context: context(), occurrence: null, customer: null, now: 0, timeZone: 'UTC' };
  const event = { type: 'payment_refunded', event_type: 'payment.card.charge_refunded', gateway: 'gateway_card' };
  expect(testRule(compiled, facts)).toMatchObject({ matched: true, event });
});

test('a rule on events of one connection is tried on what that connection sends', () => {
  const listens = { id: 'webhook_event', settings: { gateways: ['generic/mollie'] } };
  const conditions = [{ id: 'source_gateway', settings: { gateways: ['generic/mollie'] } }];
  const compiled = compileRule(unsavedRecord({ ...rule, trigger: listens, conditions }, 0), registry);
  const facts = { context: context(), occurrence: null, customer: null, now: 0, timeZone: 'UTC' };
  expect(testRule(compiled, facts)).toMatchObject({ matched: true, event: { gateway: 'generic' } });
});

// docs/guide/first-rule.md: each part shows whether it passes. A payment always comes from a gateway.
test.each([
  [{ gateways: ['gateway_wallet'] }, 'gateway_wallet'],
  [{ gateways: ['gateway_card'], operator: 'is_not' }, 'gateway_wallet'],
  [{ gateways: ['generic/mollie'] }, 'generic'],
])('a rule on payments of the gateways %j is tried on one of theirs', (settings, gateway) => {
  const conditions = [{ id: 'source_gateway', settings }];
  const trigger = { id: 'payment_complete', settings: {} };
  const facts = { context: context(), occurrence: null, customer: null, now: 0, timeZone: 'UTC' };
  const tried = (more: typeof conditions) =>
    testRule(compileRule(unsavedRecord({ ...rule, trigger, conditions: more }, 0), registry), facts);
  expect(tried(conditions)).toMatchObject({ matched: true, event: { gateway } });
  const dear = { id: 'order_total', settings: { operator: 'gt', amount: 1e6 } as never };
  expect(tried([dear, ...conditions]).conditions.map(({ result }) => result)).toEqual(['fail', 'pass']);
  const created = compileRule(
    unsavedRecord({ ...rule, trigger: { id: 'order_created', settings: {} }, conditions }, 0),
    registry,
  );
  expect(testRule(created, facts)).toMatchObject({ matched: false, event: { gateway: null } });
});

// docs/guide/why.md, question 8: `process_id` takes the event of a process, that of a schedule too.
test('a rule on a schedule runs when the schedule is due', () => {
  const trigger = { id: 'schedule', settings: { cron: '0 9 * * *' } };
  const compiled = compileRule(unsavedRecord({ ...rule, trigger, conditions: [] }, 0), registry);
  const due = namedOccurrence({ event_type: 'schedule', gateway: null }, context().order, 0);
  const facts = { context: context(), occurrence: due, customer: null, now: Date.parse(time), timeZone: 'UTC' };
  expect(testRule(compiled, facts)).toMatchObject({ matched: true, event: { type: 'schedule', to_status: null } });
});

test('a rule without conditions says so', () => {
  const empty = compileRule(unsavedRecord({ ...rule, conditions: [] }, 0), registry);
  const facts = { context: context(), occurrence: null, customer: null, now: 0, timeZone: 'UTC' };
  expect(testRule(empty, facts)).toMatchObject({
    matched: true,
    conditions: [],
    reason: expect.stringContaining('it has no conditions, so it matches every time its trigger fires'),
  });
  const completed = { ...facts, context: context({ status: 'completed' }) };
  expect(testRule(empty, completed).reason).toContain('It has no conditions, so it would match every time');
});

test('a test leaves the order as it was', () => {
  const before = context();
  const copy = structuredClone(before);
  run(before);
  expect(before).toEqual(copy);
});
