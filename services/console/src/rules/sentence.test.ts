import type { Choice, RuleData } from './draft';
import { sentenceOf } from './sentence';

const rule = (changes: Partial<RuleData>): RuleData => ({
  trigger: { id: 'payment_complete', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [],
  ...changes,
});
const condition = (id: string, settings: Choice['settings']) =>
  sentenceOf(rule({ conditions: [{ id, settings }] }), (one) =>
    one === 'weight_of_parcel' ? 'Weight of parcel' : undefined,
  ).ifs[0];

test('an event is called by its name, without that of its adapter', () => {
  const settings = { event_types: ['payment.card.payment_intent_succeeded', 'payment_failed'] };
  expect(sentenceOf(rule({ trigger: { id: 'webhook_event', settings } })).when).toMatch(
    /: payment intent succeeded or payment failed$/,
  );
});

test('a rule is a sentence', () => {
  const whole = rule({
    conditions: [
      { id: 'order_total', settings: { operator: 'gte', amount: 20 } },
      { id: 'country', settings: { address: 'billing', countries: ['DE'] } },
    ],
    primaryAction: { id: 'change_status_to_completed', settings: { send_emails: false } },
    secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Paid' } }],
  });
  expect(sentenceOf(whole)).toEqual({
    when: 'a payment completes',
    ifs: ['total is at least 20.00', 'billing country is Germany'],
    does: ['complete the order', 'add a note'],
  });
});

test.each([
  ['order_total', { operator: 'between', amount: 1, amount_to: 12.5 }, 'total is between 1.00 and 12.50'],
  ['order_total', { operator: '>=', amount: 0.125 }, 'total is at least 0.125'],
  ['item_count', { operator: 'gt', amount: 3, count: 'items' }, 'item count is more than 3'],
  [
    'country',
    { address: 'shipping', countries: ['DE', 'AT', 'CH'] },
    'shipping country is Germany, Austria or Switzerland',
  ],
  ['order_status', { statuses: ['wc-on-hold', 'pending'] }, 'order status is on hold or pending'],
  ['product', { products: ['101', '102'], match: 'any' }, 'product is one of the 2 chosen'],
  ['product', { products: ['101'], match: 'none' }, 'product is not the one chosen'],
  ['coupon', { codes: ['a', 'b'], match: 'all' }, 'coupon is a and b'],
  ['source_gateway', { gateways: ['gateway_card'], operator: 'is_not' }, 'source gateway is not the card gateway'],
  ['source_gateway', { gateways: ['gateway_card', 'generic/mollie'] }, 'source gateway is the card gateway or mollie'],
  ['order_meta', { key: '_gift', operator: 'not_exists' }, 'order meta _gift does not exist'],
  ['order_meta', { key: '_gift', operator: 'contains', value: 'red' }, 'order meta _gift contains red'],
  ['event_verified', {}, 'the event is verified'],
  ['time_window', { from: '09:00', to: '17:00', days: ['mon', 'fri'] }, 'it is 09:00 to 17:00 on Mon and Fri'],
  [
    'time_window',
    { from: '09:00', to: '17:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
    'it is 09:00 to 17:00 on any day',
  ],
  ['weight_of_parcel', { operator: 'lt', amount: 5 }, 'weight of parcel is less than 5'],
])('%s %j', (id, settings, expected) => {
  expect(condition(id, settings)).toBe(expected);
});

test.each([
  [
    { id: 'webhook_event', settings: { event_types: ['payment_failed', 'payment_denied'], gateways: [] } },
    'a webhook arrives: payment failed or payment denied',
  ],
  [
    { id: 'any_status_change', settings: { from: ['wc-pending'], to: [] } },
    'the status of an order changes from pending',
  ],
  [
    { id: 'schedule', settings: { cron: '0 * * * *', order_statuses: ['wc-pending'], older_than_minutes: 4_320 } },
    'a scheduled time comes: 0 * * * *, for orders pending for 3 days',
  ],
  [
    { id: 'schedule', settings: { cron: '0 9 * * *', older_than_minutes: 90 } },
    'a scheduled time comes: 0 9 * * *, for orders unchanged for 90 minutes',
  ],
  [{ id: 'schedule', settings: { cron: '0 9 * * *' } }, 'a scheduled time comes: 0 9 * * *'],
  [{ id: '', settings: {} }, ''],
])('when %j', (trigger, expected) => {
  expect(sentenceOf(rule({ trigger })).when).toBe(expected);
});

test('an action says what it is about', () => {
  const secondaryActions = [
    { id: 'add_order_tag', settings: { tag: 'gift' } },
    { id: 'send_email', settings: { to: 'ops@shop.example', subject: 'Paid' } },
    { id: 'send_webhook', settings: { url: 'https://erp.example/hook' } },
    { id: 'send_email', settings: { to: '{{customer.email}}' } },
    { id: 'send_webhook', settings: {} },
  ];
  expect(sentenceOf(rule({ secondaryActions })).does).toEqual([
    'add the tag gift',
    'send an e-mail to ops@shop.example',
    'call https://erp.example/hook',
    'send an e-mail to the customer',
    'call …',
  ]);
});
