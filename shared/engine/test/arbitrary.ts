import { type ComponentChoice, genericTypes, type ProductFacts } from '@order-automation/contracts';
import fc from 'fast-check';
import type { Facts } from '../src/situation';
import { weekdays } from '../src/time-zone';
import { context, occurrence } from './fixtures';

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const some = <T>(...values: T[]) => fc.uniqueArray(oneOf(...values), { minLength: 1, maxLength: 3 });
const match = oneOf('any', 'all', 'none');
const ids = some('1', '2', '3', '4');

type Comparison = { operator: string; amount: number; amount_to: number };

/** `between` with its ends in order; the others without an upper end. */
const comparison = (amount: fc.Arbitrary<number>) =>
  fc
    .record({ operator: oneOf('gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'between', '>', '<='), amount, amount_to: amount })
    .map(({ operator, amount: from, amount_to: to }: Comparison) =>
      operator === 'between'
        ? { operator, amount: Math.min(from, to), amount_to: Math.max(from, to) }
        : { operator, amount: from },
    );
const money = fc.integer({ min: 0, max: 200_000 }).chain((units) => oneOf(units, units / 100, units / 1000));
const few = fc.nat({ max: 6 });
const clock = fc.record({ hours: fc.nat(23), minutes: fc.nat(59) }).map(({ hours, minutes }) => {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(hours)}:${two(minutes)}`;
});
const zones = oneOf('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Chatham');
const statuses = ['pending', 'processing', 'on-hold', 'completed', 'wc-in-transit'];
const textValue = oneOf('', 'yes', 'no', 'yes and no');

/** Settings of every condition. */
export const conditionChoices: Readonly<Record<string, fc.Arbitrary<ComponentChoice['settings']>>> = {
  order_total: comparison(money),
  item_count: fc
    .tuple(comparison(few), oneOf('items', 'quantity'))
    .map(([settings, count]) => ({ ...settings, count })),
  customer_order_count: comparison(few),
  product_type: fc.record({ types: some('simple', 'variable', 'virtual', 'downloadable'), match_all: fc.boolean() }),
  product_category: fc.record({ categories: ids, match }),
  product_tag: fc.record({ tags: ids, match }),
  product: fc.record({ products: ids, match }),
  coupon: fc.record({ codes: some('a', 'B', 'c'), match }),
  order_status: fc.record({ statuses: some(...statuses) }),
  payment_method: fc.record({ methods: some('gateway_card', 'bacs') }),
  shipping_method: fc.record({ methods: some('flat_rate', 'flat_rate:3', 'local_pickup') }),
  country: fc.record({ address: oneOf('billing', 'shipping'), countries: some('DE', 'fr', 'SE') }),
  customer_role: fc.record({ roles: some('guest', 'customer', 'wholesale') }),
  event_type: fc.record({ event_types: some(...genericTypes.slice(0, 6)), operator: oneOf('is', 'is_not') }),
  source_gateway: fc.record({
    gateways: some('gateway_card', 'generic', 'generic/mollie'),
    operator: oneOf('is', 'is_not'),
    include_null: fc.boolean(),
  }),
  event_verified: fc.constant({}),
  time_window: fc.record(
    { timezone: zones, days: fc.uniqueArray(oneOf(...weekdays), { minLength: 1 }), from: clock, to: clock },
    { requiredKeys: ['from', 'to'] },
  ),
  order_meta: fc.record({
    key: oneOf('gift', 'note'),
    operator: oneOf('is', 'is_not', 'contains', 'not_contains', 'starts_with', 'exists', 'not_exists'),
    value: textValue,
  }),
};

export const anyChoice: fc.Arbitrary<ComponentChoice> = fc.oneof(
  ...Object.entries(conditionChoices).map(([id, settings]) => settings.map((chosen) => ({ id, settings: chosen }))),
);

/** Every trigger. */
export const anyTrigger: fc.Arbitrary<ComponentChoice> = fc.oneof(
  ...[
    'order_processing',
    'order_created',
    'order_completed',
    'order_on_hold',
    'order_cancelled',
    'order_failed',
    'order_refunded',
    'payment_complete',
    'payment_failed',
    'subscription_renewal',
    'subscription_cancelled',
    'refund_created',
    'dispute_opened',
  ].map((id) => fc.constant({ id, settings: {} })),
  fc
    .record({ from: fc.subarray(statuses), to: fc.subarray(statuses) })
    .map((settings) => ({ id: 'any_status_change', settings })),
  fc
    .record({
      event_types: fc.subarray(['payment_failed', 'payment.card.charge_failed', 'custom_event']),
      gateways: fc.subarray(['gateway_card', 'generic', 'generic/mollie']),
    })
    .map((settings) => ({ id: 'webhook_event', settings })),
  fc
    .record({ order_statuses: fc.subarray(['pending', 'processing']), older_than_minutes: fc.nat(100_000) })
    .map((settings) => ({ id: 'schedule', settings: { cron: '0 9 * * *', ...settings } })),
);

const total = oneOf(
  ...['EUR', 'JPY', 'KWD'].map((currency) => ({ currency, decimals: { EUR: 2, JPY: 0, KWD: 3 }[currency] ?? 2 })),
).chain(({ currency, decimals }) =>
  fc
    .integer({ min: -1_000, max: 200_000 })
    .map((units) => ({ currency, total: (units / 10 ** decimals).toFixed(decimals) })),
);

const line = fc.record({
  product_id: fc.integer({ min: 1, max: 4 }),
  quantity: fc.integer({ min: 0, max: 3 }),
  variation_id: oneOf(0, 3, 4),
});
const termIds = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 });
const product = (id: number): fc.Arbitrary<ProductFacts> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`Product ${id}`),
    type: oneOf('simple', 'variable', 'grouped'),
    virtual: fc.boolean(),
    downloadable: fc.boolean(),
    category_ids: termIds,
    parent_category_ids: termIds,
    tag_ids: termIds,
  });
/** Not all of them: a shop may have deleted some. */
const products = fc.subarray([1, 2, 3, 4]).chain((kept) => fc.tuple(...kept.map(product)));

const orderFields = fc.record({
  status: oneOf(...statuses.map((status) => status.replace('wc-', ''))),
  payment_method: oneOf('', 'gateway_card', 'bacs', 'cod'),
  billing: fc.record({ country: oneOf('', 'DE', 'FR', 'US') }),
  shipping: fc.record({ country: oneOf('', 'DE', 'FR', 'US') }),
  line_items: fc.array(line, { maxLength: 4 }),
  shipping_lines: fc.array(fc.record({ method_id: oneOf('flat_rate', 'free'), instance_id: oneOf('', '3') }), {
    maxLength: 2,
  }),
  coupon_lines: fc.array(fc.record({ code: oneOf('A', 'b', 'd') }), { maxLength: 2 }),
  meta_data: fc.array(fc.record({ key: oneOf('gift', 'note', 'other'), value: fc.oneof(textValue, few) }), {
    maxLength: 3,
  }),
});

const on = fc.record({
  type: fc.option(oneOf(...genericTypes)),
  gateway: fc.option(oneOf('gateway_card', 'gateway_wallet', 'generic')),
  connection: fc.option(fc.constant('mollie'), { nil: undefined }),
  authenticated: fc.boolean(),
});

/** Any order, event, customer and moment of two years. Customers and events may be missing. */
export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    money: total,
    fields: orderFields,
    products,
    on: fc.option(on, { freq: 10 }),
    customer: fc.option(fc.record({ role: oneOf('guest', 'customer', 'vip'), order_count: few }), { freq: 10 }),
    now: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
    timeZone: zones,
  })
  .map(({ money: amount, fields, products: known, on: event, customer, now, timeZone }) => ({
    context: { order: context({ ...amount, ...fields }).order, products: known },
    occurrence: event === null ? null : occurrence(event),
    customer,
    now,
    timeZone,
  }));
