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
import defaults from './builders.json';

/** Each builder gives a value that its schema takes; what is passed replaces the fields of the same name. */

let sequence = 1000;
const next = (): number => {
  sequence += 1;
  return sequence;
};

/** An order of one product, 49.00 EUR, in `processing`. */
export function buildOrder(overrides: Partial<z.input<typeof orderSchema>> = {}): Order {
  const id = overrides.id ?? next();
  const own = { id, number: String(id), transaction_id: `pi_${id}` };
  return orderSchema.parse({ ...defaults.order, ...own, ...overrides });
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
export const buildRuleData = (overrides: Partial<RuleData> = {}): RuleData =>
  ruleDataSchema.parse({ ...defaults.rule_data, ...overrides });

/** An enabled rule, as the rules service stores it. */
export function buildRule(overrides: Partial<RuleRecord> = {}): RuleRecord {
  const id = overrides.id ?? next();
  return ruleRecordSchema.parse({ ...defaults.rule, id, name: `Rule ${id}`, rule: buildRuleData(), ...overrides });
}

/** A payment of 49.00 EUR by card that succeeded. */
export function buildEvent(overrides: Partial<UniversalEvent> = {}): UniversalEvent {
  const number = next();
  const payment = `pi_${number}`;
  return universalEventSchema.parse({
    ...defaults.event,
    id: newId('evt', Date.now()),
    primaryObjectID: payment,
    transactionID: payment,
    idempotencyKey: `gateway_card:evt_${number}`,
    orderReference: { gateway_ids: [payment], order_id: null, transaction_id: payment },
    ...overrides,
  });
}

/** The entry of a rule that matched. */
export function buildAuditEntry(overrides: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const own = { uid: `entry-${next()}`, process_id: newProcessId(Date.now()) };
  return newAuditEntrySchema.parse({ ...defaults.entry, ...own, ...overrides });
}
