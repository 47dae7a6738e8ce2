import { z } from 'zod';
import table from './audit-event-types.json';
import generic from './generic-types.json';
import outcomes from './outcomes.json';
import renewals from './renewals.json';

/** decisions.md section 4: what events of all gateways are mapped to. */
export type GenericType = keyof typeof generic;
/**
 * The ladder of states that each stands on, and its rank there: the states an object passes through, earliest first; those of one rank exclude each other. A
 * refund, a reversal or a dispute is an object of its own: none makes the payment it belongs to stale (decisions.md section 11).
 */
export const genericTypeRungs = generic as Readonly<Record<GenericType, readonly number[]>>;
export const genericTypes = Object.keys(generic) as GenericType[];
export const genericTypeSchema = z.enum(genericTypes);
export const isGenericType = (name: string): name is GenericType => Object.hasOwn(generic, name);
/** What a payment of a subscription is called as its first, and as a renewal. */
export const firstAndRenewal = Object.entries(renewals) as [GenericType, GenericType][];

/** decisions.md section 7. */
export const auditStatusSchema = z.enum(['success', 'error', 'warning', 'info', 'skipped', 'pending', 'debug']);
export type AuditStatus = z.infer<typeof auditStatusSchema>;

export type AuditEventType = keyof typeof table;
/** How much an entry of each type says of its process: lists show the one that says most. */
export const auditEventImportance: Readonly<Record<AuditEventType, number>> = table;
export const auditEventTypeSchema = z.enum(Object.keys(table) as AuditEventType[]);

export type EventOutcome = keyof typeof outcomes;
/** How the entry is marked that ends an event. */
export const outcomeStatuses = outcomes as Readonly<Record<EventOutcome, AuditStatus>>;

/** Section 2.5 of the specification. */
export const auditSourceSchema = z.enum(['manual', 'webhook', 'api', 'scheduled', 'system', 'automation']);
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
