import { actionText, entryText, gatewaysNamed } from './words';

const event = { type: 'payment.card.payment_intent.succeeded', generic_type: 'payment_completed' };
const outcome = (details: object, rest: string, test = '') =>
  entryText({
    event_type: 'process_completed',
    summary: `${test}${event.type} for order 1004: ${rest}`,
    order_id: 1004,
    details: { event, amount: '29.00', currency: 'EUR', actions_open: 0, rules_evaluated: 13, ...details },
  });

test.each([
  [
    {
      outcome: 'success',
      first_matched: 'Note',
      rules_matched: 2,
      order_status: { to: 'completed', by: 'Complete paid orders' },
    },
    'Payment of €29.00 for order 1004 → completed by Complete paid orders',
  ],
  [
    { outcome: 'success', first_matched: 'A', rules_matched: 3 },
    'Payment of €29.00 for order 1004 → handled by A and 2 other rules',
  ],
  [{ outcome: 'no_match' }, 'Payment of €29.00 for order 1004 → 13 rules looked at it, none matched'],
  [{ outcome: 'partial', first_matched: 'A' }, 'Payment of €29.00 for order 1004: the rest.'],
  [{ outcome: 'success', first_matched: 'A', actions_open: 1 }, 'Payment of €29.00 for order 1004: the rest.'],
  [{ outcome: 'success', amount: undefined }, 'Payment for order 1004: the rest.'],
  // What has come is a payment, though rules see it as one that is being processed.
  [
    { outcome: 'partial', event: { ...event, generic_type: 'payment_processing' }, partial_payment: {} },
    'Payment of €29.00 for order 1004: the rest.',
  ],
])('an outcome: %j', (details, expected) => {
  expect(outcome(details, 'the rest.')).toBe(expected);
});

test.each([
  ['payment.card.refund_failed', null, { amount: '5.00', currency: 'EUR' }, 'Refund failed (€5.00) for order 1004: x.'],
  ['payment.card.customer_created', null, {}, 'Customer created for order 1004: x.'],
  [
    'payment.card.charge_dispute_closed',
    'dispute_won',
    { amount: '5.00', currency: 'EUR' },
    'Dispute won (€5.00) for order 1004: x.',
  ],
  ['order.shipped', null, {}, 'Order shipped for order 1004: x.'],
])('an event without a phrase of its own, %s', (type, generic_type, money, expected) => {
  const details = { event: { type, generic_type }, outcome: 'no_rules', ...money };
  const summary = `${type} for order 1004: x.`;
  expect(entryText({ event_type: 'process_completed', summary, order_id: 1004, details })).toBe(expected);
});

test('an entry that names the type of its event alone', () => {
  const summary = 'Test: payment.card.payment_intent_succeeded: waiting for order 7.';
  expect(entryText({ event_type: 'event_waiting', summary, order_id: null, details: {} })).toBe(
    'Test: Payment intent succeeded: waiting for order 7.',
  );
});

test('a test says that it is one', () => {
  expect(outcome({ outcome: 'no_match' }, 'none.', 'Test: ')).toBe('Test: Payment of €29.00 for order 1004: none.');
});

test.each([
  ['payment.card.x from gateway_card accepted (evt_1)', 'Refund of €5.00 from the card gateway arrived'],
  [
    'payment.card.x from gateway_card accepted (evt_1); it is held because its sender is paused',
    'Refund of €5.00 from the card gateway arrived; it is held because its sender is paused',
  ],
])('a reception: %s', (summary, expected) => {
  const details = { gateway: 'gateway_card', generic_type: 'payment_refunded', amount: '5.00', currency: 'EUR' };
  expect(entryText({ event_type: 'webhook_received', summary, order_id: null, details })).toBe(expected);
});

test.each([
  [{ amount_problem: null }, 'Test: Refund of €5.00 (Charge refunded)'],
  [{ amount_problem: 'not a number' }, 'Test: as it was recorded'],
])('what was understood: %j', (more, expected) => {
  const details = { event_type: 'payment.card.charge_refunded', generic_type: 'payment_refunded', ...more };
  const told = { event_type: 'event_normalized' as const, summary: 'Test: as it was recorded', order_id: null };
  expect(entryText({ ...told, details: { ...details, amount: '5.00', currency: 'EUR' } })).toBe(expected);
});

test('what names no event stays as it was recorded', () => {
  const summary = 'admin paused the connection warehouse.';
  expect(entryText({ event_type: 'webhook_settings_changed', summary, order_id: null, details: {} })).toBe(summary);
  const refused = 'gateway_card was asked, and gateway_wallet was not.';
  expect(entryText({ event_type: 'webhook_rejected', summary: refused, order_id: null, details: {} })).toBe(
    'The card gateway was asked, and the wallet gateway was not.',
  );
  const held = 'waits for somebody to resume generic/warehouse; others use /webhooks/generic/<name>';
  expect(gatewaysNamed(held)).toBe('waits for somebody to resume warehouse; others use /webhooks/generic/<name>');
  const created = 'Rule "A" (3) was created by admin: trigger order_processing; conditions: none';
  expect(entryText({ event_type: 'rule_created', summary: created, order_id: null, details: {} })).toBe(
    'Rule "A" (3) was created by admin',
  );
  const other = {
    event_type: 'process_completed' as const,
    summary: 'Something else.',
    order_id: 1,
    details: { event },
  };
  expect(entryText(other)).toBe('Something else.');
});

test('an action does not name its rule and order again', () => {
  const summary = 'Order 1004: Add order note (rule "A (b)"): added the note "Paid"';
  expect(
    actionText({ event_type: 'action_executed', summary, order_id: 1004, details: { rule: { name: 'A (b)' } } }),
  ).toBe('Add order note: added the note "Paid"');
});
