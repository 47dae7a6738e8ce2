import type { FieldChange, Order } from '@order-automation/contracts';

/** A status without its `wc-` prefix (decisions.md section 5). */
export const plainStatus = (text: string): string => text.trim().toLowerCase().replace(/^wc-/, '');

export function statusChanges(before: Order, after: Order): FieldChange[] {
  return (['status', 'date_paid', 'date_completed'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

/** In which an order counts as paid. */
const paidStatuses = new Set(['processing', 'completed']);
export const countsAsPaid = (status: string): boolean => paidStatuses.has(status);

/** The order in another status, with the dates that follow from it. `at` is ISO 8601 UTC. */
export function withStatus(order: Order, status: string, at: string): Order {
  return {
    ...order,
    status,
    status_since: at,
    date_modified: at,
    date_paid: order.date_paid ?? (paidStatuses.has(status) ? at : null),
    date_completed: status === 'completed' ? at : order.date_completed,
  };
}

/** Orders that are still being typed in are none yet to triggers (decisions.md section 12); the last two are of earlier versions of WooCommerce. */
const drafts = new Set(['auto-draft', 'checkout-draft', 'draft', 'new']);
export const isDraft = (status: string): boolean => drafts.has(status);

/** What is said of a command to an order in the trash: nothing acts on it. */
export const inTrash = 'The order is in the trash; nothing was changed. Restore it in the shop first.';
export const isInTrash = ({ status }: Pick<Order, 'status'>): boolean => status === 'trash';
