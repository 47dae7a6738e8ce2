import {
  newAuditEntrySchema,
  orderContextSchema,
  orderSchema,
  ruleRecordSchema,
  universalEventSchema,
} from '@order-automation/contracts';
import { buildAuditEntry, buildEvent, buildOrder, buildOrderContext, buildRule } from './builders';

test('what is built is what the schemas take, and overrides stand', () => {
  expect(orderSchema.parse(buildOrder({ total: '10.00' }))).toMatchObject({ total: '10.00' });
  orderContextSchema.parse(buildOrderContext());
  ruleRecordSchema.parse(buildRule());
  universalEventSchema.parse(buildEvent());
  newAuditEntrySchema.parse(buildAuditEntry());
  expect(buildRule({ id: 7 })).toMatchObject({ id: 7, name: 'Rule 7' });
});

test('two of a kind have distinct ids', () => {
  expect(buildOrder().id).not.toBe(buildOrder().id);
  expect(buildEvent().idempotencyKey).not.toBe(buildEvent().idempotencyKey);
  expect(buildAuditEntry().uid).not.toBe(buildAuditEntry().uid);
});
