import type { Occurrence } from '@order-automation/contracts';
import { type AmountMismatch, matchedReason } from '@order-automation/engine';
import type { ActionRecord, EvaluationDocument, RuleStep } from './evaluations';
import { commandKey } from './progress';

/**
 * An evaluation as it is stored. What follows from other fields is left out, and so is what is null, false or empty: the document is
 * written before anything is done, and written once more when the event is done; once where there is nothing to do.
 */
export type StoredEvaluation = Pick<
  EvaluationDocument,
  | '_id'
  | 'origin'
  | 'process_id'
  | 'state'
  | 'order_id'
  | 'found_by'
  | 'cause'
  | 'fence'
  | 'taken_by'
  | 'attempts'
  | 'lease_until'
  | 'repeats'
  | 'late'
  | 'firing'
> & {
  /** Of an open event, as the steps are. */
  occurrence?: StoredOccurrence;
  steps?: StoredStep[];
  mismatch?: AmountMismatch;
  outcome?: NonNullable<EvaluationDocument['outcome']>;
  done_at?: number;
  /** Of a done event: the rules that were evaluated, and those of them that matched. */
  rules?: readonly number[];
  matched?: readonly number[];
};

/** The order, the gateway and what the event is called stand beside it. */
type StoredOccurrence = Pick<Occurrence, 'key' | 'type' | 'at'> &
  Partial<Pick<Occurrence, 'transaction_id' | 'from_status' | 'to_status'>>;

type StoredCondition = Omit<RuleStep['conditions'][number], 'reason'> & { reason?: string };

/** `reason` is of a rule that did not match. */
type StoredStep = Pick<RuleStep, 'rule_id' | 'rule_name' | 'rule_version' | 'matched' | 'at'> & {
  conditions: StoredCondition[];
  failed?: true;
  reason?: string;
  actions?: StoredAction[];
  stop?: true;
};

type StoredAction = Pick<ActionRecord, 'index' | 'id' | 'label' | 'command'> & { result?: ActionRecord['result'] };

/** An open document, as its claim writes it. */
export function storedClaim(document: EvaluationDocument): StoredEvaluation {
  const { occurrence, outcome, steps } = document;
  const kept = storedBase(document);
  if (occurrence !== null) kept.occurrence = storedOccurrence(occurrence);
  if (outcome !== null) kept.outcome = outcome;
  if (steps.length > 0) kept.steps = steps.map(storedStep);
  return kept;
}

/** A done document: the log has its steps, and nothing follows from its occurrence any more. */
export function storedDone(document: EvaluationDocument): StoredEvaluation {
  const { outcome, rules, matched, done_at } = document;
  const kept = storedBase(document);
  kept.outcome = outcome ?? 'error';
  kept.rules = rules;
  kept.matched = matched;
  kept.done_at = done_at ?? 0;
  return kept;
}

function storedBase(document: EvaluationDocument): StoredEvaluation {
  const { _id, origin, process_id, state, order_id, found_by, cause, mismatch, fence, attempts, lease_until } =
    document;
  const kept: StoredEvaluation = {
    _id,
    origin,
    process_id,
    state,
    order_id,
    found_by,
    cause,
    fence,
    attempts,
    lease_until,
  };
  if (mismatch !== null) kept.mismatch = mismatch;
  if (document.firing) kept.firing = document.firing;
  if (document.repeats) kept.repeats = document.repeats;
  if (document.late) kept.late = document.late;
  return kept;
}

function storedOccurrence({ key, type, at, transaction_id, from_status, to_status }: Occurrence): StoredOccurrence {
  const kept: StoredOccurrence = { key, type, at };
  if (transaction_id !== null) kept.transaction_id = transaction_id;
  if (from_status !== null) kept.from_status = from_status;
  if (to_status !== null) kept.to_status = to_status;
  return kept;
}

export function storedStep(step: RuleStep): StoredStep {
  const { rule_id, rule_name, rule_version, matched, at } = step;
  const kept: StoredStep = {
    rule_id,
    rule_name,
    rule_version,
    matched,
    at,
    conditions: step.conditions.map(storedCondition),
  };
  if (!matched) kept.reason = step.reason;
  if (step.failed) kept.failed = true;
  if (step.actions.length > 0) kept.actions = step.actions.map(storedAction);
  if (step.stop) kept.stop = true;
  return kept;
}

/** The sentence of a condition that was judged follows from what was expected and found; the log does not repeat it. */
function storedCondition({
  id,
  label,
  result,
  expected,
  actual,
  reason,
}: RuleStep['conditions'][number]): StoredCondition {
  const kept: StoredCondition = { id, label, result, expected, actual };
  if (result === 'error') kept.reason = reason;
  return kept;
}

function storedAction({ index, id, label, command, result }: ActionRecord): StoredAction {
  return result === null ? { index, id, label, command } : { index, id, label, command, result };
}

/** The document as it is worked on, from its stored form. */
export function restored(kept: StoredEvaluation): EvaluationDocument {
  const {
    occurrence,
    mismatch = null,
    steps = [],
    outcome = null,
    done_at = null,
    rules = [],
    matched = [],
    ...same
  } = kept;
  return {
    ...same,
    occurrence: occurrence ? restoredOccurrence(occurrence, kept) : null,
    mismatch,
    steps: steps.map((step) => restoredStep(step, occurrence?.key ?? '')),
    rules,
    matched,
    outcome,
    done_at,
  };
}

function restoredOccurrence(occurrence: StoredOccurrence, { origin, order_id, cause }: StoredEvaluation): Occurrence {
  return {
    transaction_id: null,
    from_status: null,
    to_status: null,
    ...occurrence,
    order_id: order_id as number,
    event_type: origin === 'intake' ? cause.event_type : null,
    gateway: cause.gateway,
    authenticated: cause.authenticated,
  };
}

function restoredStep(step: StoredStep, occurrenceKey: string): RuleStep {
  const {
    rule_id,
    rule_name,
    rule_version,
    matched,
    at,
    conditions,
    failed = false,
    stop = false,
    actions = [],
  } = step;
  return {
    rule_id,
    rule_name,
    rule_version,
    matched,
    failed,
    reason: step.reason ?? matchedReason(rule_name, conditions.length),
    conditions: conditions.map((condition) => ({ reason: '', ...condition })),
    actions: actions.map(({ index, id, label, command, result = null }) => ({
      index,
      kind: index === 0 ? 'primary' : 'secondary',
      id,
      label,
      key: commandKey(occurrenceKey, rule_id, index),
      command,
      result,
    })),
    stop,
    at,
  };
}
