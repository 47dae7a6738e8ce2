import { type AuditStatus, type EventDone, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { ActionRecord, EvaluationDocument, RuleStep } from './evaluations';
import { type Tally, tallyOf } from './progress';

type Entry = Pick<NewAuditEntry, 'status' | 'event_type' | 'summary' | 'details'> & {
  step: string;
  rule_id: number | null;
  at: string;
};

/**
 * What the log says of one event: an entry for each rule that matched or broke, for each action, and the outcome (section 6.5 of the
 * specification). Rules that did not match have an entry of their own when there is one, and are told together when there are more.
 * The uids derive from the event, so that a takeover that tells it again tells the same entries.
 */
export function entriesOf(document: EvaluationDocument, now: number): NewAuditEntry[] {
  const entries: NewAuditEntry[] = [];
  const unmatched = document.steps.filter((step) => !step.matched && !step.failed);
  const together = unmatched.length > 1;
  for (const step of document.steps) {
    if (together && !step.matched && !step.failed) continue;
    entries.push(entryOf(document, ruleEntry(step, document)));
    for (const action of step.actions) entries.push(entryOf(document, actionEntry(action, step, document)));
  }
  if (together) entries.push(entryOf(document, unmatchedEntry(unmatched, document)));
  if (document.late) entries.push(entryOf(document, lateEntry(document, document.late.status, now)));
  entries.push(entryOf(document, outcomeEntry(document, now)));
  return entries;
}

/** Longest summary that audit takes, in characters; what is cut off is in the details. */
const longestSummary = 2000;

/** What all entries of an event have in common. */
function entryOf(document: EvaluationDocument, entry: Entry): NewAuditEntry {
  return {
    uid: `${document._id}:${entry.step}`,
    timestamp: entry.at,
    status: entry.status,
    event_type: entry.event_type,
    source: document.origin === 'intake' ? 'webhook' : 'automation',
    summary: entry.summary.slice(0, longestSummary),
    order_id: document.order_id,
    process_id: document.process_id,
    rule_id: entry.rule_id,
    duration_ms: null,
    is_test: document.cause.is_test,
    is_debug: false,
    details: entry.details,
  };
}

/** The summary has the reason; the details have each condition. */
function ruleEntry(step: RuleStep, document: EvaluationDocument): Entry {
  const details: Entry['details'] = {
    rule: { id: step.rule_id, name: step.rule_name, version: step.rule_version },
    conditions: step.conditions.map(conditionDetails),
  };
  if (step.stop) details.stop_processing = true;
  return {
    step: `rule:${step.rule_id}`,
    at: step.at,
    status: step.matched ? 'success' : step.failed ? 'error' : 'skipped',
    event_type: 'rule_evaluation',
    rule_id: step.rule_id,
    summary: `Order ${document.order_id}: ${step.reason}`,
    details,
  };
}

/** Its sentence says more than what was expected and found only when it could not be judged. */
function conditionDetails({ id, label, result, expected, actual, reason }: RuleStep['conditions'][number]) {
  return result === 'error' ? { id, label, result, expected, actual, reason } : { id, label, result, expected, actual };
}

/** Rules that a summary names; all of them are in the details. */
const rulesNamed = 3;
/** Characters of one rule in a summary. */
const longestNamed = 300;

function unmatchedEntry(steps: readonly RuleStep[], document: EvaluationDocument): Entry {
  const [first, ...others] = steps.slice(0, rulesNamed);
  const named = others.map((step) => `"${step.rule_name}" (${shortReason(step)})`.slice(0, longestNamed));
  const more = steps.length > rulesNamed ? ` And ${steps.length - rulesNamed} more.` : '';
  return {
    step: 'rules:unmatched',
    at: first?.at ?? document.cause.received_at,
    status: 'skipped',
    event_type: 'rule_evaluation',
    rule_id: null,
    summary: `Order ${document.order_id}: ${steps.length} rules did not match. ${first?.reason.slice(0, longestNamed)} Nor did ${named.join(', ')}.${more}`,
    details: { decided_by: decidedBy(steps) },
  };
}

const deciding = ({ conditions }: RuleStep) => conditions.find(({ result }) => result !== 'pass');

/** What was found and wanted, as in `Order total: 49.00, needs more than 50.00`. */
function shortReason(step: RuleStep): string {
  const condition = deciding(step);
  return condition ? `${condition.label}: ${condition.actual}, needs ${condition.expected}` : 'no condition';
}

type Decision = {
  condition: string | null;
  label: string | null;
  actual: string | null;
  rules: { id: number; name: string; version: number; expected: string | null }[];
};

/** The conditions that decided, each with what it found and the rules that wanted something else, in order of running. */
function decidedBy(steps: readonly RuleStep[]): Decision[] {
  const decisions: Decision[] = [];
  for (const step of steps) {
    const { id = null, label = null, actual = null, expected = null } = deciding(step) ?? {};
    let decision = decisions.find((one) => one.condition === id && one.actual === actual);
    if (!decision) {
      decision = { condition: id, label, actual, rules: [] };
      decisions.push(decision);
    }
    decision.rules.push({ id: step.rule_id, name: step.rule_name, version: step.rule_version, expected });
  }
  return decisions;
}

const actionStatus: Record<NonNullable<ActionRecord['result']>['status'], AuditStatus> = {
  applied: 'success',
  already_applied: 'skipped',
  unchanged: 'skipped',
  skipped: 'skipped',
  failed: 'error',
};

const actedBefore = 'this rule has acted on the same occurrence before; nothing was done again. ';
/** An event that was taken up again finds its own work done, and the log has not told it yet. */
const doneBefore = 'it was done once, before the event was interrupted and taken up again. ';

function actionEntry(action: ActionRecord, step: RuleStep, document: EvaluationDocument): Entry {
  const result = action.result ?? {
    status: 'failed' as const,
    by: null,
    message: 'The action was not run.',
    changes: [],
  };
  const resumed = result.status === 'already_applied' && result.by === document.process_id;
  const status = resumed ? 'success' : actionStatus[result.status];
  const again = result.status === 'already_applied' ? (resumed ? doneBefore : actedBefore) : '';
  return {
    step: `action:${step.rule_id}:${action.index}`,
    at: step.at,
    status,
    event_type: status === 'error' ? 'action_failed' : 'action_executed',
    rule_id: step.rule_id,
    summary: `Order ${document.order_id}: ${action.label} (rule "${step.rule_name}"): ${again}${result.message}`,
    details: {
      rule: { id: step.rule_id, name: step.rule_name, version: step.rule_version },
      action: { id: action.id, kind: action.kind, index: action.index, label: action.label },
      result: result.status,
      changes: result.changes,
    },
  };
}

function lateEntry({ order_id, cause, occurrence }: EvaluationDocument, status: string, now: number): Entry {
  return {
    step: 'late',
    at: isoTime(now),
    status: 'warning',
    event_type: 'late_payment',
    rule_id: null,
    summary: `Order ${order_id}: a payment completed while the order is ${status}. The trigger "Order enters processing" does not move such an order; please look whether the payment should be refunded or the order reopened.`,
    details: { event_type: cause.event_type, transaction: occurrence?.transaction_id ?? null, order_status: status },
  };
}

const outcomeStatus: Record<EventDone['outcome'], AuditStatus> = {
  success: 'success',
  partial: 'warning',
  error: 'error',
  no_match: 'info',
  no_order: 'warning',
  no_rules: 'info',
  amount_mismatch: 'warning',
  payment_repeated: 'info',
  too_deep: 'warning',
  dead: 'error',
};

function outcomeEntry(document: EvaluationDocument, now: number): Entry {
  const outcome = document.outcome ?? 'no_rules';
  const duration = Math.max(0, now - Date.parse(document.cause.received_at));
  const tally = tallyOf(document.steps);
  return {
    step: 'outcome',
    at: isoTime(now),
    status: outcomeStatus[outcome],
    event_type: outcome === 'payment_repeated' ? outcome : 'process_completed',
    rule_id: null,
    summary: outcomeText(document, outcome, tally),
    details: {
      outcome,
      event: { id: document._id, type: document.cause.event_type, gateway: document.cause.gateway },
      order_found_by: document.found_by,
      rules_evaluated: document.steps.length,
      rules_matched: tally.matched,
      total_ms: duration,
      ...(document.repeats ? { repeats: document.repeats } : {}),
      ...(document.mismatch ? { amount_mismatch: document.mismatch } : {}),
    },
  };
}

function outcomeText(document: EvaluationDocument, outcome: EventDone['outcome'], tally: Tally): string {
  const { steps, order_id: orderId, cause, mismatch } = document;
  const type = cause.event_type;
  const rules = `${steps.length} ${steps.length === 1 ? 'rule' : 'rules'}`;
  switch (outcome) {
    case 'no_order':
      return `${type}: no order of the shop belongs to this event, so no rule was run.`;
    case 'no_rules':
      return `${type} for order ${orderId}: no enabled rule has a trigger that listens to it.`;
    case 'no_match':
      return `${type} for order ${orderId}: ${rules} evaluated, none matched; nothing was changed.`;
    case 'amount_mismatch':
      if (mismatch?.kind === 'amount_unreadable')
        return `${type} for order ${orderId}: ${mismatch.actual} No rule that changes the order was run.`;
      return `${type} for order ${orderId}: the amount does not agree with the order (order ${mismatch?.expected}, event ${mismatch?.actual}), so no rule that changes the order was run.`;
    case 'payment_repeated':
      return `${type} for order ${orderId}: this payment was seen before (${document.repeats?.event_type}), so it is not acted on again.`;
    case 'too_deep':
      return `${type} for order ${orderId}: rules have set off each other ${cause.depth} times in a row; the chain ends here.`;
    case 'dead':
      return `${type}: could not be evaluated and was given up after several tries.`;
    case 'success':
    case 'partial':
    case 'error':
      return `${type} for order ${orderId}: ${rules} evaluated, ${tally.matched} matched, ${tally.actions - tally.failures} of ${tally.actions} actions done.`;
    default:
      return outcome satisfies never;
  }
}
