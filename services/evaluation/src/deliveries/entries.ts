import { auditEntry, counted, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { DeliveryDocument, FailureCause } from './document';

type EntryParts = Pick<NewAuditEntry, 'status' | 'event_type' | 'summary' | 'details'> & {
  readonly step: string;
  readonly duration?: number;
};

/** What all entries about a delivery have in common. The uid has the number of the resend: each of them ends for itself. */
function entryOf(delivery: DeliveryDocument, now: number, parts: EntryParts): NewAuditEntry {
  const { _id, process_id, order_id, email, rule_id, rule_name, action, resends, kind, attempts_made } = delivery;
  return auditEntry({
    uid: `${_id}:${resends}:${process_id}:${parts.step}`,
    timestamp: isoTime(now),
    status: parts.status,
    event_type: parts.event_type,
    source: 'automation',
    summary: `Order ${order_id}: ${action.label} (rule "${rule_name}"): ${parts.summary}`,
    order_id,
    ...(email !== undefined && { email }),
    process_id,
    rule_id,
    duration_ms: parts.duration ?? null,
    details: {
      rule: { id: rule_id, name: rule_name },
      action,
      delivery: { id: _id, kind, attempts_made },
      ...parts.details,
    },
  });
}

const resendText = ({ resends, resent_by }: DeliveryDocument): string =>
  resends === 0 ? '' : ` (resend ${resends}, by ${resent_by ?? 'an administrator'})`;

/** `message` holds nothing secret, as everywhere here. */
export function deliveredEntry(delivery: DeliveryDocument, message: string, now: number): NewAuditEntry {
  return entryOf(delivery, now, {
    step: 'delivered',
    status: 'success',
    event_type: 'action_executed',
    summary: `${message}${resendText(delivery)}`,
    duration: Math.max(0, now - delivery.created_at),
    details: { result: 'delivered' },
  });
}

/** Once for each cause, not once a try. */
export function waitingEntry(delivery: DeliveryDocument, cause: FailureCause | 'held', now: number): NewAuditEntry {
  const next = isoTime(delivery.next_attempt_at ?? now);
  return entryOf(delivery, now, {
    step: `waits:${cause}`,
    status: 'pending',
    event_type: 'retry_scheduled',
    summary: `${delivery.reason} It is not delivered yet; the next attempt is at ${next}.`,
    details: { result: 'queued', reason: delivery.reason, cause, next_attempt_at: next },
  });
}

export function deadLetterEntry(delivery: DeliveryDocument, now: number): NewAuditEntry {
  const { attempts_made, created_at, reason } = delivery;
  const attempts = attempts_made === 0 ? '' : ` after ${counted(attempts_made, 'attempt')}`;
  return entryOf(delivery, now, {
    step: 'dead',
    status: 'error',
    event_type: 'dead_lettered',
    summary: `given up${attempts}${resendText(delivery)}: ${reason} Deliveries lists it as failed: send it again there when the cause is removed.`,
    duration: Math.max(0, now - created_at),
    details: { result: 'failed', reason },
  });
}

export function resentEntry(delivery: DeliveryDocument, by: string, now: number): NewAuditEntry {
  const entry = entryOf(delivery, now, {
    step: 'resent',
    status: 'pending',
    event_type: 'delivery_resent',
    summary: `${by} sends it again; the result follows in an entry of its own.`,
    details: { result: 'queued', by },
  });
  return { ...entry, source: 'manual' };
}
