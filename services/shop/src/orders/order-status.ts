import type { FieldChange, Order } from '@order-automation/contracts';

/** A status without its `wc-` prefix (decisions.md section 5). */
export const plainStatus = (text: string): string => text.trim().toLowerCase().replace(/^wc-/, '');

export function statusChanges(before: Order, after: Order): FieldChange[] {
  return (['status', 'date_paid', 'date_completed'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}
