import { type EventDone, isoTime } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { entriesOf } from './entries';
import type { EvaluationDocument, Outcome } from './evaluations';
import type { RecordEntries } from './ports/audit';
import type { Claims } from './ports/claims';
import type { ReportDone } from './ports/reports';
import type { Telemetry } from './telemetry';

export type Finish = (document: EvaluationDocument) => Promise<Outcome | 'taken'>;

/**
 * The log has the entries, then the document is done, then the end is reported: nothing is reported before it is stored. Where nothing was to be
 * done the document is stored here for the first time.
 */
export function finisher(
  claims: Claims,
  record: RecordEntries,
  report: ReportDone,
  telemetry: Telemetry,
  clock: Clock,
): Finish {
  return async (document) => {
    const now = clock.now();
    const outcome = document.outcome ?? 'error';
    await record(entriesOf(document, now));
    const { subject: _, due: _due, ...rest } = document;
    const done: EvaluationDocument = {
      ...rest,
      state: 'done',
      matched: document.steps.flatMap(({ matched, rule_id }) => (matched ? [rule_id] : [])),
      rules: document.steps.map(({ rule_id: id, rule_version: version }) => ({ id, version })),
      occurrence: null,
      steps: [],
      done_at: now,
    };
    if (!(await claims.save(done))) return 'taken';
    await report({ ...eventDone(done), failed: failedConditions(document) });
    telemetry.eventDone(document, now);
    return outcome;
  };
}

/** Of each rule that did not match the first condition that did not pass, for the statistics of rules. */
function failedConditions({ steps }: EvaluationDocument): NonNullable<EventDone['failed']> {
  return steps.flatMap(({ matched, rule_id, conditions }) => {
    const condition = matched ? undefined : conditions.find(({ result }) => result !== 'pass')?.id;
    return condition === undefined ? [] : [{ rule_id, condition }];
  });
}

/** What is reported once an event is done. */
export function eventDone(document: EvaluationDocument): EventDone {
  const { _id, origin, outcome, order_id, done_at, rules, matched, error } = document;
  return {
    event_id: _id,
    origin,
    outcome: outcome ?? 'error',
    order_id,
    at: isoTime(done_at ?? 0),
    rules: rules.map(({ id }) => id),
    matched: [...matched],
    ...(outcome === 'dead' && error !== null ? { reason: error } : {}),
  };
}
