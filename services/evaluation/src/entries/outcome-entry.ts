import { type AuditStatus, isoTime, type NewAuditEntry, outcomeStatuses } from '@order-automation/contracts';
import { tallyOf } from '../deciding/decide';
import { evaluatedSteps } from '../deciding/shadow';
import type { EvaluationDocument, Outcome } from '../evaluation-document';
import { namedOrder, outcomeText } from './outcome-text';
import type { Entry } from './payment-entries';

/** Green only where everything was done: what is still to be delivered, not run in a test or done before by another event is not. */
function statusOf(document: EvaluationDocument, outcome: Outcome): AuditStatus {
  if (outcome === 'no_order' && !namedOrder(document)) return 'info';
  const { actions, done, open } = tallyOf(document);
  if (outcome !== 'success' || done === actions) return outcomeStatuses[outcome];
  return open > 0 ? 'pending' : 'info';
}

const outcomeTypes: Partial<Record<Outcome, NewAuditEntry['event_type']>> = {
  payment_repeated: 'payment_repeated',
  other_payment: 'other_payment',
  stale: 'event_stale',
  order_ambiguous: 'order_ambiguous',
  order_foreign: 'order_foreign',
};

/** A payment whose amount could not be compared says so. */
function amountText({ subject, found_by, renewal }: EvaluationDocument): string {
  if (subject?.kind !== 'event' || found_by === null) return '';
  const { genericType, amount, amountProblem } = subject.event;
  return genericType === 'payment_completed' && renewal === undefined && amount === null && amountProblem === null
    ? ' The event names no amount, so it was not compared with the order.'
    : '';
}

const renewalText = ({ renewal }: EvaluationDocument): string =>
  renewal === undefined
    ? ''
    : ` This payment is a renewal (${renewal}): rules for paid orders are not run for it, and its amount is not compared with the order.`;

/** What was paid or refunded, where the event says it. */
function moneyOf({ subject }: EvaluationDocument) {
  if (subject?.kind !== 'event' || subject.event.amount === null) return {};
  const { amount, currency } = subject.event;
  return { amount, currency };
}

/** The first rule that matched, and the last change of the order's status with the rule that made it. */
function doneBy({ steps }: EvaluationDocument) {
  const matched = steps.filter(({ matched }) => matched);
  const changes = matched.flatMap(({ rule_name, actions }) =>
    actions.flatMap(({ result }) =>
      (result?.status === 'applied' ? result.changes : []).map((change) => ({ ...change, rule_name })),
    ),
  );
  const last = changes.findLast(({ field }) => field === 'status');
  return {
    ...(matched[0] && { first_matched: matched[0].rule_name }),
    ...(last && { order_status: { to: last.to, by: last.rule_name } }),
  };
}

/** The gateway's code for why, such as `card_declined` or `ECHECK`; never a text, which may name a person. */
const reasonCode = /^[A-Za-z][\w-]{1,59}$/;

/** The last entry of an event: what came of it. `now` in milliseconds since the epoch. */
export function outcomeEntry(document: EvaluationDocument, now: number): Entry {
  const { outcome, cause, repeats, mismatch, occurrence, subject } = document;
  const reason = (subject?.kind === 'event' && subject.event.reason) || '';
  const known = outcome ?? 'no_rules';
  const { matched, open } = tallyOf(document);
  return {
    step: 'outcome',
    at: isoTime(now),
    status: statusOf(document, known),
    event_type: outcomeTypes[known] ?? 'process_completed',
    duration_ms: Math.max(0, now - Date.parse(cause.received_at)),
    summary: `${outcomeText(document, known)}${amountText(document)}${renewalText(document)}`,
    details: {
      outcome: known,
      event: {
        id: document._id,
        type: cause.event_type,
        generic_type: occurrence?.type ?? null,
        gateway: cause.gateway,
        connection: occurrence?.connection,
        ...(reasonCode.test(reason) && { reason }),
      },
      ...moneyOf(document),
      order_found_by: document.found_by,
      rules_evaluated: evaluatedSteps(document).length,
      rules_matched: matched,
      ...doneBy(document),
      actions_open: open,
      total_ms: Math.max(0, now - Date.parse(cause.received_at)),
      ...(cause.rules.length > 0 ? { chain: cause.rules } : {}),
      ...(repeats ? { repeats } : {}),
      ...(mismatch ? { amount_mismatch: mismatch } : {}),
      ...(document.partial ? { partial_payment: document.partial } : {}),
      ...(document.rejection ? { rejection: document.rejection } : {}),
    },
  };
}
