import {
  type AuditSource,
  type AuditStatus,
  isoTime,
  type NewAuditEntry,
  type OrderReference,
} from '@order-automation/contracts';
import { tallyOf } from './decide';
import type { ActionOutcome, ActionRecord, EvaluationDocument, Outcome, RuleStep } from './evaluations';
import { namedOrder, outcomeText } from './outcome-text';
import { awaitedName } from './sentences';

type Entry = Pick<NewAuditEntry, 'status' | 'event_type' | 'summary' | 'details'> & {
  readonly step: string;
  readonly rule_id: number | null;
  readonly at: string;
};

/**
 * What the log says of one event: an entry for each rule that was evaluated, for each action, and the outcome (section 6.5 of the
 * specification). The uids derive from the event, so that a takeover records the same entries.
 */
export function entriesOf(document: EvaluationDocument, now: number): NewAuditEntry[] {
  const entries: Entry[] = [];
  for (const step of document.steps) {
    entries.push(ruleEntry(step, document));
    for (const action of step.actions) entries.push(actionEntry(action, step, document));
  }
  if (document.late !== null) entries.push(lateEntry(document, document.late, now));
  entries.push(outcomeEntry(document, now));
  return entries.map((entry) => entryOf(document, entry));
}

/** The one entry of an event that waits for its order. `until` is in milliseconds since the epoch. */
export function waitingEntry(document: EvaluationDocument, reference: OrderReference, until: number): NewAuditEntry {
  const name = awaitedName(reference);
  return entryOf(document, {
    step: 'waiting',
    at: document.cause.received_at,
    status: 'pending',
    event_type: 'event_waiting',
    rule_id: null,
    summary: `${document.cause.event_type}: waiting for ${name}, which the shop does not have yet. The event is evaluated when it appears; after ${isoTime(until)} it is closed without.`,
    details: { waiting_for: name, until: isoTime(until) },
  });
}

/** The entry of an event that was given up. `reason` holds nothing secret. */
export function deadLetterEntry(document: EvaluationDocument, reason: string, now: number): NewAuditEntry {
  const about = document.order_id === null ? '' : ` for order ${document.order_id}`;
  return entryOf(document, {
    step: `dead:${document.fence}`,
    at: isoTime(now),
    status: 'error',
    event_type: 'dead_lettered',
    rule_id: null,
    summary: `${document.cause.event_type}${about}: given up after ${document.attempts} tries (${reason}). It is among the dead letters and can be replayed when the cause is removed.`,
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
  const { _id, origin, order_id, process_id, cause } = document;
  return {
    uid: `${_id}:${entry.step}`,
    timestamp: entry.at,
    status: entry.status,
    event_type: entry.event_type,
    source: sources[origin],
    summary: entry.summary.slice(0, longestSummary),
    order_id,
    process_id,
    rule_id: entry.rule_id,
    duration_ms: null,
    is_test: cause.is_test,
    is_debug: false,
    details: entry.details,
  };
}

/** The summary has the reason; the details have each condition. */
function ruleEntry(step: RuleStep, { order_id }: EvaluationDocument): Entry {
  return {
    step: `rule:${step.rule_id}`,
    at: step.at,
    status: step.matched ? 'success' : step.failed ? 'error' : 'skipped',
    event_type: 'rule_evaluation',
    rule_id: step.rule_id,
    summary: `Order ${order_id}: ${step.reason}`,
    details: {
      rule: ruleDetails(step),
      conditions: step.conditions,
      ...(step.stop ? { stop_processing: true } : {}),
    },
  };
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

const actedBefore = 'this rule has acted on the same occurrence before; nothing was done again. ';
/** An event that was taken up again finds its own work done, which is not in the log yet. */
const doneBefore = 'it was done once, before the event was interrupted and taken up again. ';
const notReached: ActionOutcome = { status: 'skipped', by: null, message: 'The action was not reached.', changes: [] };

function actionEntry(action: ActionRecord, step: RuleStep, { order_id, process_id }: EvaluationDocument): Entry {
  const result = action.result ?? notReached;
  const repeated = result.status === 'already_applied';
  const resumed = repeated && result.by === process_id;
  const status = resumed ? 'success' : actionStatus[result.status];
  const again = resumed ? doneBefore : repeated ? actedBefore : '';
  return {
    step: `action:${step.rule_id}:${action.index}`,
    at: step.at,
    status,
    event_type: status === 'error' ? 'action_failed' : 'action_executed',
    rule_id: step.rule_id,
    summary: `Order ${order_id}: ${action.label} (rule "${step.rule_name}"): ${again}${result.message}`,
    details: {
      rule: ruleDetails(step),
      action: { id: action.id, kind: action.kind, index: action.index, label: action.label },
      result: result.status,
      changes: result.changes,
    },
  };
}

function lateEntry({ order_id, cause, occurrence, own }: EvaluationDocument, status: string, now: number): Entry {
  const settled = own && status === 'completed';
  return {
    step: 'late',
    at: isoTime(now),
    status: settled ? 'info' : 'warning',
    event_type: 'late_payment',
    rule_id: null,
    summary: settled
      ? `Order ${order_id}: the payment of the order completed; the shop has completed the order already, so nothing was to be done.`
      : `Order ${order_id}: a payment completed while the order is ${status}. The trigger "Order enters processing" does not move such an order; please look whether the payment should be refunded or the order reopened.`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, order_status: status },
  };
}

const outcomeStatus: Record<Outcome, AuditStatus> = {
  success: 'success',
  partial: 'warning',
  error: 'error',
  no_match: 'info',
  no_order: 'warning',
  no_rules: 'info',
  amount_mismatch: 'warning',
  payment_repeated: 'info',
  other_payment: 'info',
  stale: 'info',
  too_deep: 'warning',
  dead: 'error',
};

/** Outcomes with an event type of their own. */
const outcomeTypes: Partial<Record<Outcome, NewAuditEntry['event_type']>> = {
  payment_repeated: 'payment_repeated',
  other_payment: 'other_payment',
  stale: 'event_stale',
};

function outcomeEntry(document: EvaluationDocument, now: number): Entry {
  const { outcome, cause, steps, repeats, mismatch } = document;
  const known = outcome ?? 'no_rules';
  return {
    step: 'outcome',
    at: isoTime(now),
    status: known === 'no_order' && !namedOrder(document) ? 'info' : outcomeStatus[known],
    event_type: outcomeTypes[known] ?? 'process_completed',
    rule_id: null,
    summary: outcomeText(document, known),
    details: {
      outcome: known,
      event: { id: document._id, type: cause.event_type, gateway: cause.gateway },
      order_found_by: document.found_by,
      rules_evaluated: steps.length,
      rules_matched: tallyOf(steps).matched,
      total_ms: Math.max(0, now - Date.parse(cause.received_at)),
      ...(cause.rules.length > 0 ? { chain: cause.rules } : {}),
      ...(repeats ? { repeats } : {}),
      ...(mismatch ? { amount_mismatch: mismatch } : {}),
    },
  };
}
