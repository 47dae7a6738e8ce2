import {
  type AuditEntry,
  type ConditionResult,
  type ExplainedRule,
  type Occurrence,
  ServiceError,
} from '@order-automation/contracts';
import { type CompiledRule, hears, listeningText } from '@order-automation/engine';

export type Past = {
  readonly order_id: number;
  /** ISO time at which the event came. */
  readonly at: string;
  readonly occurrence: Occurrence;
  /** The rules that were evaluated, in order of running. */
  readonly evaluated: readonly AuditEntry[];
  /** Why rules that listen were not evaluated, where no rule stopped them. */
  readonly outcome: string;
  /** Why a payment that came in part, or too late, set off no rule for payments. */
  readonly payment: string | undefined;
  /** The rule that ended the processing, and its place among the rules where that is known. */
  readonly stop: { readonly id: number; readonly position: number | undefined } | null;
};

/** Outcomes of events that every rule was evaluated for whose trigger fired. */
const unrestricted: ReadonlySet<unknown> = new Set(['success', 'partial', 'error', 'no_match']);
const notFired = 'its trigger did not fire for the order as it was then.';

/** 409 `svc_event_not_evaluated` when the process is not about an order. */
export function pastOf(
  entries: readonly AuditEntry[],
  occurrence: Occurrence,
  outcome: AuditEntry,
  rules: ReadonlyMap<number, CompiledRule>,
): Past {
  const order_id = outcome.order_id ?? entries.find((entry) => entry.order_id !== null)?.order_id ?? null;
  if (order_id === null) {
    const text = 'What happened in this process is not about an order, so no rule was evaluated.';
    throw new ServiceError(409, 'svc_event_not_evaluated', text);
  }
  // A schedule is due for many orders, each with an occurrence of that rule alone.
  const evaluated = entries.filter((one) => one.event_type === 'rule_evaluation' && one.order_id === order_id);
  const scheduled = occurrence.type === 'schedule' && { rule_id: evaluated[0]?.rule_id ?? 0 };
  const at = entries[0]?.timestamp ?? outcome.timestamp;
  const overtaken = entries.find(({ details }) => details.overtaken_by !== undefined);
  const payment = entries.find(({ event_type }) => event_type === 'payment_partial' || event_type === 'late_payment');
  const because = unrestricted.has(outcome.details.outcome) ? notFired : outcome.summary;
  const stopping = evaluated.find((entry) => recordedOf(entry).stop_processing === true);
  const id = stopping && (recordedOf(stopping).rule?.id ?? stopping.rule_id ?? 0);
  const stop = id === undefined ? null : { id, position: rules.get(id)?.record.position };
  return {
    order_id,
    at,
    occurrence: { ...occurrence, ...scheduled },
    evaluated,
    outcome: overtaken?.summary ?? because,
    payment: payment?.summary,
    stop,
  };
}

type RecordedRule = { readonly id: number; readonly name: string; readonly version: number };
type Recorded = {
  readonly rule?: RecordedRule;
  readonly conditions?: ConditionResult[];
  readonly stop_processing?: boolean;
  /** Of a rule that was in shadow. */
  readonly shadow?: object;
};

const recordedOf = ({ details }: AuditEntry): Recorded => details as Recorded;

/** The verdict that was recorded: it stays what it was, whatever happened to the rule and the order since. */
export function recordedRule(entry: AuditEntry, compiled: CompiledRule | undefined): ExplainedRule {
  const { rule, conditions = [], shadow } = recordedOf(entry);
  const failing = conditions.filter(({ result }) => result === 'fail' || result === 'error');
  const acted = entry.status === 'success' ? 'runs' : entry.status === 'error' ? 'error' : 'no_match';
  const verdict = shadow ? 'disabled' : acted;
  const id = rule?.id ?? entry.rule_id ?? 0;
  return {
    rule_id: id,
    rule_name: rule?.name ?? String(id),
    rule_version: rule?.version ?? 0,
    position: compiled?.record.position ?? 0,
    enabled: !shadow,
    verdict,
    reason: entry.summary.replace(/^Order \d+: /, ''),
    trigger: { id: compiled?.record.rule.trigger.id ?? '', would_fire: true, reason: 'the event set it off' },
    listens_to: compiled?.listensTo.map(listeningText) ?? [],
    conditions,
    first_failing: failing[0] ?? null,
    suggestions: failing.map(({ reason }) => reason),
    changes: verdict === 'runs' ? [] : null,
    stopped_by: null,
    recorded: true,
  };
}

/** Why a rule, as it was then, was not evaluated. */
export function notEvaluated(rule: CompiledRule, { occurrence, outcome, payment, stop }: Past): ExplainedRule {
  const { id, name, version, position, enabled, shadow } = rule.record;
  const listens_to = rule.listensTo.map(listeningText);
  const isHeard = hears(rule.listensTo, occurrence) && (occurrence.rule_id ?? id) === id;
  const isAfter = stop !== null && (stop.position ?? position) <= position;
  const stopped_by = enabled && isHeard && isAfter ? stop.id : null;
  const { rule_id: due, event_type, type } = occurrence;
  const event = due === undefined ? `event ${event_type ?? type}` : `schedule of rule ${due}`;
  const needs = `it listens to ${listens_to.join(' or ') || 'nothing'}`;
  const trigger = {
    id: rule.record.rule.trigger.id,
    would_fire: isHeard,
    reason: isHeard ? `the ${event} sets it off` : `the ${event} does not set it off; ${needs}`,
  };
  const isOfPayments = rule.listensTo.some(({ type }) => type !== 'gateway_event');
  const because =
    stopped_by !== null ? `rule ${stopped_by} ended the processing before it.` : (isOfPayments && payment) || outcome;
  const reason = !enabled
    ? `Rule "${name}" was ${shadow ? 'in shadow' : 'disabled'} then.`
    : `Rule "${name}" was not evaluated: ${isHeard ? because : `${trigger.reason}.`}`;
  return {
    rule_id: id,
    rule_name: name,
    rule_version: version,
    position,
    enabled,
    verdict: !enabled ? 'disabled' : stopped_by !== null ? 'stopped' : 'not_listening',
    reason,
    trigger,
    listens_to,
    conditions: [],
    first_failing: null,
    suggestions: isHeard ? [] : [trigger.reason],
    changes: null,
    stopped_by,
    recorded: false,
  };
}
