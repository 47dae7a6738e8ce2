import { isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { PartialPayment } from './classify';
import type { EvaluationDocument } from './evaluation-document';
import { partialText, restText } from './outcome-text';

/** An entry of the log before it has what all entries of its event have in common. `step` tells it from the others. */
export type Entry = Pick<NewAuditEntry, 'status' | 'event_type' | 'summary' | 'details'> & {
  readonly step: string;
  readonly rule_id: number | null;
  readonly at: string;
  readonly duration_ms?: number;
  readonly is_debug?: boolean;
};

/** What a shop owner must know of the payment besides what rules did: that it came late, in part, after its refund, or that a refund has failed. */
export function paymentEntries(document: EvaluationDocument, now: number): Entry[] {
  const { late, partial, overtaken_by } = document;
  return [
    ...(late === null || hasMoved(document) ? [] : [lateEntry(document, late, now)]),
    ...(partial ? [partialEntry(document, partial, now)] : []),
    ...(isFailedRefund(document) ? [failedRefundEntry(document, now)] : []),
    ...(overtaken_by === null ? [] : [overtakenEntry(document, overtaken_by, now)]),
  ];
}

/** A rule on something else than "Order enters processing" has moved the order all the same. */
const hasMoved = ({ steps }: EvaluationDocument): boolean =>
  steps.some(({ actions }) =>
    actions.some(({ result }) => result?.changes.some(({ field }) => field === 'status') === true),
  );

function lateEntry({ order_id, cause, occurrence, own }: EvaluationDocument, status: string, now: number): Entry {
  const settled = own && status === 'completed';
  const advice = cause.is_test ? '' : '; please check whether the payment should be refunded or the order reopened';
  return {
    step: 'late',
    at: isoTime(now),
    status: settled ? 'info' : 'warning',
    event_type: 'late_payment',
    rule_id: null,
    summary: settled
      ? `Order ${order_id}: the payment of the order completed; the shop has completed the order already, so nothing was to be done.`
      : `Order ${order_id}: a payment completed while the order is ${status === 'trash' ? 'in the trash' : status}. The trigger "Order enters processing" does not move such an order${advice}.`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, order_status: status },
  };
}

/** Money for the order came, and some is missing: rules that wait for the payment wait for the rest. */
function partialEntry(document: EvaluationDocument, partial: PartialPayment, now: number): Entry {
  const { order_id, cause, occurrence } = document;
  return {
    step: 'partial',
    at: isoTime(now),
    status: partial.is_final ? 'warning' : 'info',
    event_type: 'payment_partial',
    rule_id: null,
    summary: `Order ${order_id}: ${partialText(document)}. ${restText(partial)}`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, ...partial },
  };
}

const undone = /(?:^|[_.])(?:failed|denied|declined|rejected|cancell?ed|reversed)$/i;

/** A refund that was reported, and then did not reach the customer. */
function isFailedRefund({ subject }: EvaluationDocument): boolean {
  if (subject?.kind !== 'event' || subject.event.genericType === 'payment_refunded') return false;
  const { eventType, status } = subject.event;
  return /refund/i.test(eventType) && (undone.test(eventType) || undone.test(status ?? ''));
}

function failedRefundEntry({ order_id, cause, occurrence }: EvaluationDocument, now: number): Entry {
  return {
    step: 'refund_failed',
    at: isoTime(now),
    status: 'warning',
    event_type: 'refund_failed',
    rule_id: null,
    summary: `Order ${order_id}: a refund has failed or was cancelled; the customer did not get this money. Please check the refund at the gateway, and what rules did when it was reported.`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null },
  };
}

const overtakingTexts: Readonly<Record<string, string>> = {
  payment_refunded: 'its refund',
  payment_reversed: 'its reversal',
};

/** A payment that arrives after its own refund or dispute does not undo what that has led to. */
function overtakenEntry({ order_id, cause, occurrence }: EvaluationDocument, by: string, now: number): Entry {
  const what = overtakingTexts[by] ?? 'its dispute';
  return {
    step: 'late',
    at: isoTime(now),
    status: 'info',
    event_type: 'late_payment',
    rule_id: null,
    summary: `Order ${order_id}: the payment completed, but ${what} was processed before and the order has its status since then. Rules that change the status are not run for the payment.`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, overtaken_by: by },
  };
}
