import { isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { QueuedEffect } from './queue';

/** What the log says when an e-mail or a call was delivered, or was given up. `message` holds nothing secret. */
export function deliveredEntry(
  { context, tries, queued_at }: QueuedEffect,
  status: 'success' | 'error',
  message: string,
  now: number,
): NewAuditEntry {
  const { _id, process_id, order_id, rule, action, cause } = context;
  const text = status === 'success' ? message : `Given up after ${tries + 1} tries: ${message}`;
  return {
    uid: `${_id}:action:${rule.id}:${action.index}:${status}`,
    timestamp: isoTime(now),
    status,
    event_type: status === 'success' ? 'action_executed' : 'action_failed',
    source: 'automation',
    summary: `Order ${order_id}: ${action.label} (rule "${rule.name}"): ${text}`.slice(0, 2000),
    order_id,
    process_id,
    rule_id: rule.id,
    duration_ms: now - queued_at,
    is_test: cause.is_test,
    is_debug: false,
    details: { rule, action, result: status === 'success' ? 'delivered' : 'failed', tries: tries + 1 },
  };
}
