import { isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { EvaluationDocument } from '../evaluation-document';
import type { PartialPayment } from '../history/classify';
import { partialText, restText } from './outcome-text';
import paymentTexts from './payment-texts.json';

/** An entry of the log before it has what all entries of its event have in common. `step` tells it from the others. */
export type Entry = Pick<NewAuditEntry, 'status' | 'event_type' | 'summary' | 'details'> & {
  readonly step: string;
  readonly rule_id?: number;
  readonly at: string;
  readonly duration_ms?: number;
  readonly is_debug?: boolean;
};

/** What a shop owner must know of the payment besides what rules did: that it came late, in part, after its refund, or that a refund has failed. */
export function paymentEntries(document: EvaluationDocument, now: number): Entry[] {
  const { late, partial, overtaken_by, refund_failed } = document;
  return [
    ...(late === null || hasMoved(document) ? [] : [lateEntry(document, late, now)]),
    ...(partial ? [partialEntry(document, partial, now)] : []),
    ...(refund_failed ? [failedRefundEntry(document, now)] : []),
    ...(overtaken_by === null ? [] : [overtakenEntry(document, overtaken_by, now)]),
  ];
}

/** A rule on something else than "Order enters processing" has moved the order all the same. */
const hasMoved = ({ steps }: EvaluationDocument): boolean =>
  steps.some(({ actions }) =>
    actions.some(({ result }) => result?.changes.some(({ field }) => field === 'status') === true),
  );

type Told = Pick<Entry, 'step' | 'status' | 'event_type' | 'summary'> & { readonly details?: Entry['details'] };

/** What all of them have in common; `now` in milliseconds since the epoch. */
const entryOf = ({ cause, occurrence }: EvaluationDocument, now: number, { details, ...told }: Told): Entry => ({
  ...told,
  at: isoTime(now),
  details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, ...details },
});

const texts: Readonly<Record<'late' | 'overtaking', Readonly<Record<string, string>>>> = paymentTexts;
/** Plugins have statuses of their own, some of which await a payment: `partially-paid`. */
const addStatus = (status: string): string =>
  `if orders with this status wait for a payment, add ${status} to ORDER_AWAITING_PAYMENT in the configuration of the service`;

function lateEntry(document: EvaluationDocument, status: string, now: number): Entry {
  const { order_id, cause, own, partial } = document;
  const settled = own && !partial && texts.late[status] !== texts.late.cancelled;
  const advice = cause.is_test ? '' : `; ${texts.late[status] ?? addStatus(status)}`;
  const summary = settled
    ? `Order ${order_id}: the payment of the order completed; the shop has set the order to ${status} already, so rules on "Order enters processing" are not run.`
    : `Order ${order_id}: a payment completed while the order is ${status === 'trash' ? 'in the trash' : status}. The trigger "Order enters processing" does not move such an order${advice}.`;
  const told = { step: 'late', status: settled ? 'info' : 'warning', event_type: 'late_payment', summary } as const;
  return entryOf(document, now, { ...told, details: { order_status: status } });
}

/** Money for the order came, and some is missing: rules that wait for the payment wait for the rest. */
function partialEntry(document: EvaluationDocument, partial: PartialPayment, now: number): Entry {
  const summary = `Order ${document.order_id}: ${partialText(document)}. ${restText(partial)}`;
  const status = partial.is_final || partial.is_cancelled ? 'warning' : 'info';
  return entryOf(document, now, { step: 'partial', status, event_type: 'payment_partial', summary, details: partial });
}

function failedRefundEntry(document: EvaluationDocument, now: number): Entry {
  const summary = `Order ${document.order_id}: a refund has failed or was cancelled; the customer did not get this money. Please check the refund at the gateway, and what rules did when it was reported.`;
  return entryOf(document, now, { step: 'refund_failed', status: 'warning', event_type: 'refund_failed', summary });
}

/** A payment that arrives after its own refund or dispute does not undo what that has led to, nor does a change of an order that has ended since. */
function overtakenEntry(document: EvaluationDocument, by: string, now: number): Entry {
  const { subject, order_id } = document;
  const details = { overtaken_by: by };
  if (subject?.kind === 'change') {
    const where = by === 'trash' ? 'in the trash' : by;
    const { kind, to } = subject.change;
    const was = kind === 'created' ? 'created' : `set to ${to}`;
    const summary = `Order ${order_id} was ${was}, but by now it is ${where}. Rules that change the status are not run for that.`;
    return entryOf(document, now, { step: 'ended', status: 'info', event_type: 'event_stale', summary, details });
  }
  const what = texts.overtaking[by] ?? 'its dispute';
  const summary = `Order ${order_id}: the payment completed, but ${what} was processed before and the order has its status since then. Rules that change the status are not run for the payment.`;
  const told = { step: 'late', status: 'info', event_type: 'late_payment', summary } as const;
  return entryOf(document, now, { ...told, details });
}
