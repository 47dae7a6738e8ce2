import {
  type NewAuditEntry,
  newAuditEntrySchema,
  newId,
  newProcessId,
  type Order,
  type OrderContext,
  orderSchema,
  type RuleData,
  type RuleRecord,
  ruleDataSchema,
  ruleRecordSchema,
  type UniversalEvent,
  universalEventSchema,
} from '@order-automation/contracts';
import type { z } from 'zod';

/** Each builder gives a value that its schema takes; what is passed replaces the fields of the same name. */

let sequence = 1000;
const next = (): number => {
  sequence += 1;
  return sequence;
};
const moment = '2026-01-15T10:00:00.000Z';

/** An order of one product, 49.00 EUR, in `processing`. */
export function buildOrder(overrides: Partial<z.input<typeof orderSchema>> = {}): Order {
  const id = overrides.id ?? next();
  return orderSchema.parse({
    id,
    number: String(id),
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: moment,
    date_modified: moment,
    customer_id: 7,
    payment_method: 'card',
    payment_method_title: 'Card',
    transaction_id: `pi_${id}`,
    billing: { first_name: 'Ada', last_name: 'Example', country: 'DE', email: 'ada@example.com' },
    shipping: { country: 'DE' },
    line_items: [{ id: 1, name: 'E-book', product_id: 11, quantity: 1, total: '49.00', sku: 'EBOOK' }],
    ...overrides,
  });
}

/** An order with one virtual product. */
export function buildOrderContext(overrides: Partial<OrderContext> = {}): OrderContext {
  return {
    order: overrides.order ?? buildOrder(),
    products: overrides.products ?? [{ id: 11, name: 'E-book', type: 'virtual', category_ids: [3], tag_ids: [] }],
    revision: overrides.revision ?? '1',
  };
}

/** Completes orders over 10 when they are being processed. */
export function buildRuleData(overrides: Partial<RuleData> = {}): RuleData {
  return ruleDataSchema.parse({
    trigger: { id: 'order_processing', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 10 } }],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [],
    ...overrides,
  });
}

/** An enabled rule, as the rules service stores it. */
export function buildRule(overrides: Partial<RuleRecord> = {}): RuleRecord {
  const id = overrides.id ?? next();
  return ruleRecordSchema.parse({
    id,
    name: `Rule ${id}`,
    enabled: true,
    position: 0,
    stop_processing: false,
    version: 1,
    rule: buildRuleData(),
    created_at: moment,
    updated_at: moment,
    updated_by: 'admin',
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
    ...overrides,
  });
}

/** A payment of 49.00 EUR by card that succeeded. */
export function buildEvent(overrides: Partial<UniversalEvent> = {}): UniversalEvent {
  const number = next();
  return universalEventSchema.parse({
    id: newId('evt', Date.now()),
    eventType: 'payment.card.payment_intent_succeeded',
    genericType: 'payment_completed',
    sourceGateway: 'gateway_card',
    channel: 'webhook',
    primaryObjectType: 'payment_intent',
    primaryObjectID: `pi_${number}`,
    secondaryObjectType: null,
    secondaryObjectID: null,
    transactionID: `pi_${number}`,
    amount: '49.00',
    currency: 'EUR',
    amountProblem: null,
    status: 'succeeded',
    reason: null,
    occurredAt: moment,
    receivedAt: moment,
    idempotencyKey: `gateway_card:evt_${number}`,
    authenticated: true,
    isTest: false,
    orderReference: { gateway_ids: [`pi_${number}`], order_id: null, transaction_id: `pi_${number}` },
    ...overrides,
  });
}

/** The entry of a rule that matched. */
export function buildAuditEntry(overrides: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const number = next();
  return newAuditEntrySchema.parse({
    uid: `entry-${number}`,
    timestamp: moment,
    status: 'success',
    event_type: 'rule_evaluation',
    source: 'automation',
    summary: 'The rule matched.',
    order_id: 1,
    process_id: newProcessId(Date.now()),
    rule_id: 1,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: {},
    ...overrides,
  });
}
