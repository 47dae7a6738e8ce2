import type { ComponentChoice, RuleData } from '@order-automation/contracts';
import { compileRule } from '@order-automation/engine';
import fc from 'fast-check';
import { anyChoice, anyFacts } from '../../../../shared/engine/test/arbitrary';
import { record, registry } from '../../../../shared/engine/test/fixtures';
import { contradictions } from './contradictions';
import { ruleWarnings } from './rule-warnings';

const choice = (id: string, settings: ComponentChoice['settings'] = {}): ComponentChoice => ({ id, settings });
const total = (operator: string, amount: number) => choice('order_total', { operator, amount });
const status = (...statuses: string[]) => choice('order_status', { statuses });
const products = (match: string, ...of: string[]) => choice('product', { products: of, match });

test.each<[string, ComponentChoice[], boolean]>([
  ['a range that is empty', [total('gt', 50), total('lt', 40)], true],
  ['a range of nothing between two ends', [total('gt', 50), total('lt', 50)], true],
  ['a range of one value', [total('gte', 50), total('lte', 50)], false],
  ['a range that one value is taken from', [total('gte', 50), total('lte', 50), total('ne', 50)], true],
  ['less than nothing', [total('lt', 0)], true],
  [
    'a whole number between two neighbours',
    [
      choice('item_count', { operator: 'gt', amount: 1, count: 'items' }),
      choice('item_count', { operator: 'lt', amount: 2, count: 'items' }),
    ],
    true,
  ],
  [
    'a half between two neighbours',
    [choice('item_count', { operator: 'gt', amount: 1 }), choice('item_count', { operator: 'lt', amount: 2 })],
    false,
  ],
  [
    'items and pieces are two numbers',
    [
      choice('item_count', { operator: 'gt', amount: 5 }),
      choice('item_count', { operator: 'lt', amount: 2, count: 'items' }),
    ],
    false,
  ],
  ['two statuses at once', [status('pending'), status('wc-processing')], true],
  ['a status that both allow', [status('pending', 'processing'), status('wc-processing')], false],
  [
    'a type that is wanted and refused',
    [
      choice('event_type', { event_types: ['payment_failed'] }),
      choice('event_type', { event_types: ['payment_failed'], operator: 'is_not' }),
    ],
    true,
  ],
  [
    'billed here and shipped there',
    [choice('country', { countries: ['DE'] }), choice('country', { address: 'shipping', countries: ['FR'] })],
    false,
  ],
  ['a product that is wanted and refused', [products('any', '1'), products('none', '1', '2')], true],
  ['one of two products, one refused', [products('any', '1', '3'), products('none', '1')], false],
  ['two products, both wanted', [products('any', '1'), products('any', '2')], false],
  [
    'all coupons of which one is refused',
    [choice('coupon', { codes: ['a', 'b'], match: 'all' }), choice('coupon', { codes: ['B'], match: 'none' })],
    true,
  ],
  [
    'a field that is and is not there',
    [
      choice('order_meta', { key: 'a', operator: 'is', value: 'x' }),
      choice('order_meta', { key: 'a', operator: 'not_exists' }),
    ],
    true,
  ],
  [
    'two fields',
    [
      choice('order_meta', { key: 'a', operator: 'exists' }),
      choice('order_meta', { key: 'b', operator: 'not_exists' }),
    ],
    false,
  ],
  [
    'no gateway, which both allow',
    [
      choice('source_gateway', { gateways: ['generic'], include_null: true }),
      choice('source_gateway', { gateways: ['generic'], operator: 'is_not', include_null: true }),
    ],
    false,
  ],
  [
    'a gateway and one connection of it',
    [choice('source_gateway', { gateways: ['generic'] }), choice('source_gateway', { gateways: ['generic/mollie'] })],
    false,
  ],
  ['conditions of extensions', [choice('gone'), choice('gone')], false],
])('%s', (_name, conditions, expected) => {
  expect(contradictions(conditions).length > 0).toBe(expected);
});

test('what is called impossible never happens', () => {
  fc.assert(
    fc.property(fc.array(anyChoice, { minLength: 1, maxLength: 3 }), anyFacts, (conditions, facts) => {
      const rule = compileRule(record({ conditions }), registry);
      if (rule.match(facts).matched && Number(facts.context.order.total) >= 0)
        expect(contradictions(conditions)).toEqual([]);
    }),
    { numRuns: Number(process.env.AGREEMENT_RUNS ?? 3_000) },
  );
});

const codes = (rule: Partial<RuleData>) => ruleWarnings(record(rule), registry).map(({ code }) => code);

/** https://docs.mollie.com/docs/handling-errors: a new payment for each attempt; each ends as paid, failed, canceled or expired. */
test('a rule that any attempt at a payment would set off says so', () => {
  const cancel = choice('change_status_to_cancelled');
  const on = (...event_types: string[]) => choice('webhook_event', { event_types });
  const primaryAction = cancel;
  expect(codes({ trigger: on('payment_cancelled'), primaryAction })).toEqual(['abandoned_attempt']);
  const expired = on('payment_completed', 'payment.card.checkout_session_expired');
  expect(codes({ trigger: expired, primaryAction })).toEqual(['abandoned_attempt']);
  expect(codes({ trigger: expired, primaryAction, conditions: [status('pending', 'failed')] })).toEqual([]);
  expect(codes({ trigger: on('payment_cancelled') })).toEqual([]);
  expect(codes({ trigger: choice('payment_failed'), primaryAction })).toEqual([]);
  expect(codes({ trigger: on('subscription_cancelled', 'dispute_lost'), primaryAction })).toEqual([]);
});

test('a rule by itself: no action, never matches', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ primaryAction: null })).toEqual(['no_action']);
  expect(codes({ conditions: [total('gt', 5), total('lt', 4)] })).toEqual(['never_matches']);
  expect(codes({ trigger: choice('order_completed'), conditions: [status('pending')] })).toEqual(['never_matches']);
  expect(codes({ trigger: choice('order_completed'), conditions: [status('wc-completed')] })).toEqual([]);
  expect(codes({ conditions: [status('pending')] })).toEqual([]);
  const failed = choice('event_type', { event_types: ['payment_failed'] });
  expect(codes({ trigger: choice('payment_complete'), conditions: [failed] })).toEqual(['never_matches']);
  expect(codes({ trigger: choice('payment_failed'), conditions: [failed] })).toEqual([]);
  expect(codes({ trigger: choice('webhook_event'), conditions: [failed] })).toEqual([]);
  const gateway = choice('source_gateway', { gateways: ['gateway_card'] });
  expect(codes({ trigger: choice('order_completed'), conditions: [gateway] })).toEqual(['never_matches']);
});
