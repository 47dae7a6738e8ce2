import { counted, type OrderReference, prefixOf } from '@order-automation/contracts';
import { tallyOf } from '../deciding/decide';
import { evaluatedSteps } from '../deciding/shadow';
import type { EvaluationDocument, Outcome } from '../evaluation-document';
import { isFailedRefund } from '../history/refunds';
import { namesAnOrder } from '../task';
import { awaitedName } from './sentences';

/** How an event ended, as one sentence for the administrator of the shop. */
export function outcomeText(document: EvaluationDocument, outcome: Outcome): string {
  const { order_id, cause, mismatch, repeats } = document;
  const about = `${cause.event_type} for order ${order_id}`;
  const { matched, actions, done, doneBefore, skipped, open } = tallyOf(document);
  const evaluated = `${counted(evaluatedSteps(document).length, 'rule')} evaluated`;
  switch (outcome) {
    case 'no_order':
      return noOrder(document);
    case 'no_rules':
      return `${about}: ${repeats ? `${repeatedText(document)}, and ` : ''}${unheardText(document)}${lateText(document)}${unfiredText(document)}${disabledText(document)}${ownTypeText(document)}.`;
    case 'no_match':
      return `${about}: ${evaluated}, none matched; nothing was changed.`;
    case 'amount_mismatch':
      return `${about}: ${mismatchText(mismatch)}, so no rule that changes the order was run.`;
    case 'order_ambiguous':
      return `${cause.event_type}: ${ambiguousText(document.rejection)}`;
    case 'order_foreign':
      return `${cause.event_type}: ${foreignText(document.rejection)}`;
    case 'payment_partial':
      return `${about}: ${partialText(document)}. ${restText(document.partial)}`;
    case 'payment_repeated':
      return `${about}: ${repeatedText(document)}, so only rules that listen to the webhook itself were run (${evaluated}).`;
    case 'other_payment':
      return `${about}: the event is about a payment other than the order’s own, so only rules that listen to the webhook itself were run (${evaluated}).`;
    case 'stale':
      return `${about}: a later state was processed before, so no rule was run.`;
    case 'too_deep':
      return `${about}: ${counted(cause.depth, 'rule')} in a row have set each other off (rules ${cause.rules.join(' → ')}); the chain ends here.`;
    case 'dead':
      return `${about}: could not be evaluated and was given up after several tries.`;
    case 'success':
    case 'partial':
    case 'error': {
      const notRun = skipped > 0 ? `, ${skipped} not run` : '';
      const waiting = open > 0 ? `, ${open} still to be delivered` : '';
      const repeated = doneBefore > 0 ? `, ${doneBefore} done already for the same payment, refund or change` : '';
      return `${about}: ${evaluated}, ${matched} matched, ${done} of ${counted(actions, 'action')} done${repeated}${notRun}${waiting}.`;
    }
    default:
      return outcome satisfies never;
  }
}

/** The webhooks of the shop follow its changes, for which rules have run or are about to. */
const unheardText = ({ cause, overtaken_by }: EvaluationDocument): string =>
  cause.gateway === 'gateway_shop'
    ? 'no enabled rule listens to this webhook itself; what has changed in the order fires its rules without it'
    : `there is no enabled rule whose trigger it fires${overtaken_by === null ? '' : ' and that leaves the status as it is'}`;

function repeatedText({ repeats, invoice }: EvaluationDocument): string {
  if (repeats === null && invoice)
    return `this payment pays invoice ${invoice}; rules for payments run on the invoice's own events`;
  return `this payment was seen before (${repeats?.event_type})`;
}

function ambiguousText(rejection: EvaluationDocument['rejection']): string {
  const [one, other] = rejection?.orders ?? [];
  const name = rejection?.reference;
  return `it is not clear which order this is about: "${name}" is order ${one?.id} by its id, and order ${other?.id} by its number (${other?.number}). Neither was changed. Choose in the settings of the sender whether its events refer to an order by its id or by its number (order_reference), then replay the event.`;
}

function foreignText(rejection: EvaluationDocument['rejection']): string {
  const named = rejection?.reference ? ` It names "${rejection.reference}".` : '';
  return `this is not about an order of this shop, so nothing was changed.${named} ${rejection?.because ?? ''}`.trim();
}

/** `40.00 of 100.00 USD is paid`. */
export const partialText = ({ partial }: Pick<EvaluationDocument, 'partial'>): string =>
  partial ? `${partial.received} of ${partial.total} ${partial.currency} is paid` : 'a part of the order is paid';

/** What becomes of what is missing. */
export function restText(partial: EvaluationDocument['partial']): string {
  if (partial?.is_cancelled) return 'This payment was cancelled: please check whether the rest is still to come.';
  return partial?.is_final
    ? 'The gateway says that this was the last capture of the payment: please check whether the rest is still to come.'
    : 'Rules for paid orders run when the rest has come.';
}

/** In words that a search for `amount_mismatch` and `amount_unreadable` finds. */
function mismatchText(mismatch: EvaluationDocument['mismatch']): string {
  const { kind, expected, actual } = mismatch ?? {};
  return kind === 'amount_unreadable'
    ? `the amount is unreadable (${actual?.replace(/\.$/, '')}; the order has ${expected})`
    : `amount mismatch between the order (${expected}) and the event (${actual})`;
}

/** Why a rule on `order_processing` is not among them when an order that is past being paid is paid, or what looks like a payment is none. */
function lateText(document: EvaluationDocument): string {
  const { late, moved_before, subject } = document;
  const { billing, genericType } = subject?.kind === 'event' ? subject.event : {};
  if (genericType === 'payment_refunded' && document.occurrence?.type === null)
    return '; it gives back nothing that was paid, so it counts as no refund';
  if (billing === 'other') return '; its invoice is neither a first payment nor a renewal, so it pays no order';
  if (genericType === 'custom_event' && !hasOwnType(document))
    return '; it is a custom event, to which rules for payments do not listen: what it means can be set with the “Event types” of its connection (guide "Connect a gateway")';
  if (moved_before) return '; the shop had moved the order to processing before, and rules for that have run';
  if (late === null) return '';
  const where = late === 'trash' ? 'in the trash' : late;
  return `; the order is ${where}, and the trigger "Order enters processing" acts only on payments of orders that await one`;
}

/** `; the rule "Card payments" does not fire: the trigger fires on …; the rule "Trial" is in shadow and changes nothing`. */
function unfiredText({ unfired = [], steps }: EvaluationDocument): string {
  const shadows = steps.filter(({ shadow }) => shadow);
  return [
    ...unfired.map(({ name, reason }) => `; the rule "${name}" does not fire: ${reason}`),
    ...shadows.map(({ rule_name }) => `; the rule "${rule_name}" is in shadow and changes nothing`),
  ].join('');
}

/** `; the rules "Complete e-books", "Tag it" and 2 more are disabled`. */
function disabledText({ disabled }: EvaluationDocument): string {
  if (!disabled) return '';
  const { rules, total } = disabled;
  const names = rules.map(({ name }) => `"${name}"`).join(', ');
  const others = total > rules.length ? ` and ${total - rules.length} more` : '';
  return total === 1 ? `; the rule ${names} is disabled` : `; the rules ${names}${others} are disabled`;
}

const hasOwnType = ({ cause: { event_type, gateway }, occurrence }: EvaluationDocument): boolean =>
  occurrence?.type === 'custom_event' && gateway === 'generic' && event_type !== 'custom_event';

/** What makes rules for payments and refunds hear a type of the sender's own. A refund that failed is understood without. */
function ownTypeText(document: EvaluationDocument): string {
  const { subject, cause } = document;
  const event = subject?.kind === 'event' ? subject.event : undefined;
  if (!hasOwnType(document) || event?.isLeftOut || (event && isFailedRefund(event))) return '';
  return `; "${cause.event_type}" is a type of the sender’s own: if it means that an order is paid or refunded, send payment_completed or payment_refunded in its place, or say so with the “Event types” of the connection (guide "Connect a gateway")`;
}

/** The reference of an event that names an order; null for kinds of events that have none. */
export function namedOrder({ subject }: EvaluationDocument): OrderReference | null {
  if (subject?.kind !== 'event') return null;
  return namesAnOrder(subject.event.orderReference) ? subject.event.orderReference : null;
}

/** How the order of a sender's own event is found that may have one under another name, or has named something else. */
export function orderFieldText({ cause: { gateway }, subject }: EvaluationDocument, where = 'it is about one'): string {
  const event = subject?.kind === 'event' ? subject.event : undefined;
  if (gateway !== 'generic' || event?.isLeftOut) return '';
  const { order_id: named = null, transaction_id: payment } = event?.orderReference ?? {};
  const prefix = prefixOf(named ?? '');
  const orPrefix = prefix ? `, or “${prefix}” as the prefix of its references,` : '';
  const unproven =
    named === null && payment && event?.authenticated === false
      ? ' What earlier events said of this payment counts only where the sender proves who it is (“Authentication”).'
      : '';
  return ` If ${where}, enter the field that has the order’s number${orPrefix} in the “Settings” of its connection, and try it with “Check a payload” (guide "Connect a gateway").${unproven}`;
}

function noOrder(document: EvaluationDocument): string {
  const { event_type } = document.cause;
  const reference = namedOrder(document);
  if (!reference && document.order_id !== null)
    return `${event_type}: the shop has moved order ${document.order_id} to its trash; no rule acts on that.`;
  if (!reference) return `${event_type}: the event names no order, so no rule was run.${orderFieldText(document)}`;
  if (document.deleted)
    return `${event_type}: ${awaitedName(reference)}, which the event waited for, was deleted in the shop, so no rule was run.`;
  return `${event_type}: the shop has no ${awaitedName(reference).replace(/^the /, '')} and the event has waited long enough, so no rule was run.${orderFieldText(document, 'that is not its order')}`;
}
