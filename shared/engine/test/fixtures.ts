import {
  type Occurrence,
  type Order,
  type OrderContext,
  orderSchema,
  type RuleData,
  type RuleRecord,
  type UniversalEvent,
} from '@order-automation/contracts';
import { builtInComponents, createRegistry } from '../src/registry';
import type { Facts } from '../src/situation';

const time = '2026-01-15T10:00:00.000Z';

export function order(overrides: Record<string, unknown> = {}): Order {
  return orderSchema.parse({
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: time,
    date_modified: time,
    billing: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' },
    shipping: {},
    line_items: [{ product_id: 11, quantity: 2 }],
    ...overrides,
  });
}

export function context(overrides: Record<string, unknown> = {}, types: readonly string[] = ['simple']): OrderContext {
  const products = types.map((type, at) => ({ id: 11 + at, name: type, type, category_ids: [], tag_ids: [] }));
  const line_items = products.map(({ id }) => ({ product_id: id, quantity: 1 }));
  return { order: order({ line_items, ...overrides }), products };
}

/** What a rule looks at: an order, and a payment for it that completed. */
export function facts(overrides: Partial<Facts> = {}): Facts {
  return {
    context: context(),
    occurrence: occurrence(),
    customer: null,
    now: Date.parse(time),
    timeZone: 'UTC',
    ...overrides,
  };
}

export const registry = createRegistry(builtInComponents);

export function ruleData(overrides: Partial<RuleData> = {}): RuleData {
  return {
    trigger: { id: 'order_processing', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 50 } }],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [],
    ...overrides,
  };
}

export function record(rule: Partial<RuleData> = {}, overrides: Partial<RuleRecord> = {}): RuleRecord {
  return {
    id: 3,
    name: 'Big orders',
    enabled: true,
    position: 0,
    stop_processing: false,
    version: 2,
    rule: ruleData(rule),
    created_at: time,
    updated_at: time,
    updated_by: 'admin',
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
    ...overrides,
  };
}

export function occurrence(overrides: Partial<Occurrence> = {}): Occurrence {
  return {
    key: 'key',
    type: 'payment_completed',
    order_id: 7,
    transaction_id: 'pi_1',
    from_status: null,
    to_status: null,
    event_type: 'payment.card.payment_intent_succeeded',
    gateway: 'gateway_card',
    authenticated: true,
    at: time,
    ...overrides,
  };
}

export function event(overrides: Partial<UniversalEvent> = {}): UniversalEvent {
  return {
    id: 'evt_1',
    eventType: 'payment.card.payment_intent_succeeded',
    genericType: 'payment_completed',
    sourceGateway: 'gateway_card',
    channel: 'webhook',
    primaryObjectType: 'payment_intent',
    primaryObjectID: 'pi_1',
    secondaryObjectType: null,
    secondaryObjectID: null,
    transactionID: 'pi_1',
    amount: '49.00',
    currency: 'EUR',
    amountProblem: null,
    status: null,
    reason: null,
    occurredAt: null,
    receivedAt: time,
    idempotencyKey: 'gateway_card:evt_1',
    authenticated: true,
    isTest: false,
    orderReference: { gateway_ids: ['pi_1'], order_id: null, transaction_id: 'pi_1' },
    ...overrides,
  };
}
