import { z } from 'zod';
import table from './audit-event-types.json';

/** decisions.md section 4: what events of all gateways are mapped to. */
export const genericTypes = [
  'payment_created',
  'payment_processing',
  'payment_pending',
  'payment_completed',
  'payment_failed',
  'payment_denied',
  'payment_cancelled',
  'payment_refunded',
  'payment_reversed',
  'subscription_created',
  'subscription_approved',
  'subscription_renewed',
  'subscription_cancelled',
  'subscription_suspended',
  'subscription_reactivated',
  'subscription_completed',
  'subscription_expired',
  'renewal_payment_processing',
  'renewal_payment_completed',
  'renewal_payment_failed',
  'renewal_payment_pending',
  'trial_started',
  'trial_ended',
  'dispute_opened',
  'dispute_resolved',
  'dispute_won',
  'dispute_lost',
  'order_created',
  'order_updated',
  'order_completed',
  'order_cancelled',
  'custom_event',
] as const;
export const genericTypeSchema = z.enum(genericTypes);
export type GenericType = z.infer<typeof genericTypeSchema>;

/** decisions.md section 7. */
export const auditStatuses = ['success', 'error', 'warning', 'info', 'skipped', 'pending', 'debug'] as const;
export const auditStatusSchema = z.enum(auditStatuses);
export type AuditStatus = z.infer<typeof auditStatusSchema>;

export type AuditEventType = keyof typeof table;
/** How much an entry of each type says of its process: lists show the one that says most. */
export const auditEventImportance: Readonly<Record<AuditEventType, number>> = table;
export const auditEventTypes = Object.keys(auditEventImportance) as AuditEventType[];
export const auditEventTypeSchema = z.enum(auditEventTypes);

/** Section 2.5 of the specification. */
export const auditSources = ['manual', 'webhook', 'api', 'scheduled', 'system', 'automation'] as const;
export const auditSourceSchema = z.enum(auditSources);
export type AuditSource = z.infer<typeof auditSourceSchema>;

/** The statuses in which an order awaits its payment where the shop says nothing else (decisions.md section 12). */
export const awaitingPayment: readonly string[] = ['pending', 'on-hold', 'failed', 'checkout-draft'];

/**
 * A payment moves an order that awaits one, and one in `processing`, which may have come there by it. A draft in the checkout awaits it like one that
 * somebody writes in the administration (`auto-draft`).
 */
export const payableStatuses = (awaiting: Iterable<string>): readonly string[] =>
  [...new Set([...awaiting, 'processing'])].flatMap((status) =>
    status === 'checkout-draft' ? [status, 'auto-draft'] : [status],
  );

/** Order statuses of the host platform, without the `wc-` prefix (decisions.md section 5). */
export const orderStatuses = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
  'checkout-draft',
  'trash',
] as const;
