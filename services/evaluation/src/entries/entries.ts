import {
  type AuditSource,
  type AuditStatus,
  type EventWaiting,
  isoTime,
  type NewAuditEntry,
  type OrderReference,
  type UniversalEvent,
} from '@order-automation/contracts';
import { eventName, receivedEntry } from '@order-automation/service';
import type { ActionOutcome, ActionRecord, EvaluationDocument, RuleStep, ShadowVerdict } from '../evaluation-document';
import { isResumed } from '../resumed';
import { impersonal } from './impersonal';
import { outcomeEntry } from './outcome-entry';
import { orderFieldText } from './outcome-text';
import { type Entry, paymentEntries } from './payment-entries';
import { awaitedName } from './sentences';

/**
 * What the log says of one event: its reception, an entry for each rule that was evaluated, for each action, what the shop changed, and the outcome
 * (section 6.5 of the specification). The uids derive from the event, so that a takeover records the same entries.
 */
export function entriesOf(document: EvaluationDocument, now: number): NewAuditEntry[] {
  const entries: Entry[] = [];
  for (const step of document.steps) {
    entries.push(ruleEntry(step, document));
    for (const action of step.actions) entries.push(actionEntry(action, step, document));
  }
  entries.push(...paymentEntries(document, now), outcomeEntry(document, now));
  return [
    ...doneSoFar(document),
    ...entries.map((entry) => entryOf(document, entry)),
    ...rejectionEntries(document, now),
  ];
}

/** The orders that an event names, and that it must not move, tell of it. */
function rejectionEntries(document: EvaluationDocument, now: number): NewAuditEntry[] {
  return (document.rejection?.orders ?? []).map(({ id }) =>
    entryOf({ ...document, order_id: id }, { ...outcomeEntry(document, now), step: `named:${id}` }),
  );
}

/** What is known of an event before it ends: its reception, and what the shop changed for it. */
export function doneSoFar(document: EvaluationDocument): NewAuditEntry[] {
  return [...receptionOf(document), ...document.shop_entries];
}

function moneyText({ amount, currency, amountProblem, minorUnits }: UniversalEvent): string {
  if (minorUnits !== undefined) return `${minorUnits} in the smallest unit of ${currency}`;
  if (amount === null) return amountProblem === null ? 'no amount' : 'an unreadable amount';
  return `${amount} ${currency ?? 'without a currency'}`;
}

/** The reception, and for who looks closer how the event was read. Both name the order once it is known. */
function receptionOf(document: EvaluationDocument): NewAuditEntry[] {
  const { subject, process_id, order_id, email, cause } = document;
  if (subject?.kind !== 'event' || !subject.webhook) return [];
  const { event, webhook } = subject;
  const reception = { event, process_id, webhook };
  const { genericType, amount, currency, amountProblem } = event;
  const meaning = genericType === null ? 'an event for rules that name it' : genericType;
  return [
    { ...receivedEntry({ ...reception, replayed_at: cause.received_at }), order_id, email },
    entryOf(document, {
      step: 'normalized',
      at: cause.received_at,
      status: 'debug',
      event_type: 'event_normalized',
      is_debug: true,
      summary: `${eventName(reception)} was read as ${meaning}, with ${moneyText(event)}.`,
      details: {
        event_type: cause.event_type,
        generic_type: genericType,
        amount,
        currency,
        amount_problem: amountProblem,
      },
    }),
  ];
}

/** The entry of an event that failed and is tried again at `due`. `reason` holds nothing secret; times in milliseconds since the epoch. */
export function retryEntry(document: EvaluationDocument, reason: string, now: number, due: number): NewAuditEntry {
  const { order_id, cause, tries } = document;
  const about = order_id === null ? '' : ` for order ${order_id}`;
  return entryOf(document, {
    step: `retry:${tries}`,
    at: isoTime(now),
    status: 'pending',
    event_type: 'retry_scheduled',
    summary: `${cause.event_type}${about}: could not be finished (${reason.replace(/\.$/, '')}). It is tried again from ${isoTime(due)} on.`,
    details: { reason, tries, next_try_at: isoTime(due) },
  });
}

/** The entry of an event that waits for its order: one, and another when the limit is extended. `until` is in milliseconds since the epoch. */
export function waitingEntry(document: EvaluationDocument, reference: OrderReference, until: number): NewAuditEntry {
  const name = awaitedName(reference);
  const { looks = 1 } = document;
  return entryOf(document, {
    step: looks === 1 ? 'waiting' : `waiting:${looks}`,
    at: document.cause.received_at,
    status: 'pending',
    event_type: 'event_waiting',
    summary: `${document.cause.event_type}: waiting for ${name}, which the shop does not have yet. The event is evaluated when the order appears; if it does not by ${isoTime(until)}, no rule is run.${orderFieldText(document, 'that is not its order')}`,
    details: { waiting_for: name, until: isoTime(until) },
  });
}

/** What is reported to the service that handed an event over while it waits. `until` is in milliseconds since the epoch. */
export function waitOf({ _id, origin }: EvaluationDocument, reference: OrderReference, until: number): EventWaiting {
  return { event_id: _id, origin, waiting_for: awaitedName(reference), until: isoTime(until) };
}

/** The entry of an event that was given up. `reason` holds nothing secret. */
export function deadLetterEntry(document: EvaluationDocument, reason: string, now: number): NewAuditEntry {
  const about = document.order_id === null ? '' : ` for order ${document.order_id}`;
  return entryOf(document, {
    step: `dead:${document.fence}`,
    at: isoTime(now),
    status: 'error',
    event_type: 'dead_lettered',
    summary: `${document.cause.event_type}${about}: given up after ${document.attempts} tries (${reason.replace(/\.$/, '')}). Events lists it as given up: replay it there when the cause is removed.`,
    details: { reason, attempts: document.attempts, event: { id: document._id, type: document.cause.event_type } },
  });
}

/** Longest summary that audit takes, in characters; what is cut off is in the details. */
const longestSummary = 2000;

const sources: Record<EvaluationDocument['origin'], AuditSource> = {
  intake: 'webhook',
  shop: 'automation',
  schedule: 'scheduled',
};

/** What all entries of an event have in common. */
function entryOf(document: EvaluationDocument, entry: Entry): NewAuditEntry {
  const { _id, origin, order_id, email, process_id, cause } = document;
  return {
    uid: `${_id}:${entry.step}`,
    timestamp: entry.at,
    status: entry.status,
    event_type: entry.event_type,
    source: sources[origin],
    summary: `${cause.is_test ? 'Test: ' : ''}${entry.summary}`.slice(0, longestSummary),
    order_id,
    process_id,
    rule_id: entry.rule_id ?? null,
    duration_ms: entry.duration_ms ?? null,
    is_test: cause.is_test,
    is_debug: entry.is_debug ?? false,
    details: entry.details,
    email,
  };
}

/** The summary has the reason; the details have each condition. */
function ruleEntry(step: RuleStep, { order_id }: EvaluationDocument): Entry {
  return {
    step: `rule:${step.rule_id}`,
    at: step.at,
    status: step.shadow ? 'info' : step.matched ? 'success' : step.failed ? 'error' : 'skipped',
    event_type: 'rule_evaluation',
    rule_id: step.rule_id,
    summary: `Order ${order_id}: ${step.shadow ? shadowText(step, step.shadow) : step.reason}${step.stop ? ' It stopped the rules after it.' : ''}`,
    details: {
      rule: ruleDetails(step),
      conditions: step.conditions,
      ...(step.shadow ? { shadow: step.shadow } : {}),
      ...(step.stop ? { stop_processing: true } : {}),
    },
  };
}

function shadowText({ rule_name, reason }: RuleStep, { matched, actions, stop }: ShadowVerdict): string {
  if (!matched) return `In shadow: ${reason}`;
  const done = actions.map(({ message }) => message.replace(/\.$/, '')).join('; ');
  const stopped = stop ? ' It would also have stopped the rules after it.' : '';
  return `In shadow: rule "${rule_name}" would have matched and done this: ${done || 'nothing'}.${stopped} Nothing was done.`;
}

const ruleDetails = ({ rule_id: id, rule_name: name, rule_version: version }: RuleStep) => ({ id, name, version });

const actionStatus: Record<ActionOutcome['status'], AuditStatus> = {
  applied: 'success',
  already_applied: 'skipped',
  unchanged: 'skipped',
  skipped: 'skipped',
  queued: 'pending',
  failed: 'error',
};

const actedBefore =
  'nothing was done again, because this rule has acted on the same payment, refund or change before. What it did then: ';
/** An event that was taken up again, or whose shop took long to answer, finds its own work done, which is not in the log yet. */
const doneBefore = 'it was already done for this event. ';
const notReached: ActionOutcome = { status: 'skipped', by: null, message: 'The action was not reached.', changes: [] };

function actionEntry(action: ActionRecord, step: RuleStep, { order_id, process_id }: EvaluationDocument): Entry {
  const result = action.result ?? notReached;
  const repeated = result.status === 'already_applied';
  const resumed = isResumed(result, process_id);
  const status = resumed ? 'success' : actionStatus[result.status];
  const again = resumed ? doneBefore : repeated ? actedBefore : '';
  return {
    step: `action:${step.rule_id}:${action.index}`,
    at: step.at,
    status,
    event_type: status === 'error' ? 'action_failed' : 'action_executed',
    rule_id: step.rule_id,
    ...(result.took_ms === undefined ? {} : { duration_ms: result.took_ms }),
    summary: `Order ${order_id}: ${action.label} (rule "${step.rule_name}"): ${again}${impersonal(result.message, action.personal)}`,
    details: {
      rule: ruleDetails(step),
      action: { id: action.id, kind: action.kind, index: action.index, label: action.label },
      result: result.status,
      changes: result.changes.map((change) => ({
        ...change,
        from: impersonal(change.from, action.personal),
        to: impersonal(change.to, action.personal),
      })),
    },
  };
}
