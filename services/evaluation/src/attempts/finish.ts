import { type EventDone, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { failedConditions } from '../deciding/decide';
import { factsAtEnd } from '../deciding/recorded-facts';
import { liveSteps } from '../deciding/shadow';
import { entriesOf, waitingEntry } from '../entries/entries';
import type { EvaluationDocument, Outcome } from '../evaluation-document';
import type { RecordEvent } from '../ports/audit';
import type { ReportDone } from '../ports/reports';
import type { Telemetry } from '../telemetry';
import type { Claims } from './claims';

/** `isNew`: nobody has evaluated the event before; else that is looked up where the document was not stored yet. */
export type Finish = (document: EvaluationDocument, isNew?: boolean) => Promise<Outcome | 'taken'>;

/** Claims what the steps of an event changed, where rules listen to it, so that it is evaluated whatever happens. */
export type FollowUps = {
  claim(document: EvaluationDocument): Promise<readonly EvaluationDocument[]>;
  start(claimed: readonly EvaluationDocument[]): void;
};

export type FinishDeps = {
  readonly claims: Claims;
  readonly record: RecordEvent;
  readonly report: ReportDone;
  readonly followUps: FollowUps;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
};

/**
 * The log has the entries, then the document is done, then the end is reported: nothing is reported before it is stored. Where nothing was to be
 * done the document is stored here for the first time; an event that another process has stored meanwhile is that one's to tell.
 */
export function finisher(deps: FinishDeps): Finish {
  const { claims, record, report, followUps, telemetry, clock } = deps;
  return async (document, isNew = false) => {
    if (document.fence === 0 && !isNew && (await claims.known(document._id))) return 'taken';
    const now = clock.now();
    const outcome = document.outcome ?? 'error';
    const following = await followUps.claim(document);
    const entries = [...waitedEntry(document), ...entriesOf(document, now)];
    await record({ uid: document._id, process_id: document.process_id, entries });
    const done = doneDocument(document, now);
    if (!(await claims.save(done))) return 'taken';
    await report({ ...eventDone(done), failed: document.cause.is_test ? [] : failedConditions(document) });
    telemetry.eventDone(document, now);
    followUps.start(following);
    return outcome;
  };
}

/** Nothing of what was decided, which names people, is kept with an event that has ended: the log has it. */
export const emptied = () => ({
  subject: undefined,
  email: undefined,
  due: undefined,
  reported: undefined,
  occurrence: null,
  steps: [],
  changes: [],
  shop_entries: [],
});

function doneDocument(document: EvaluationDocument, now: number): EvaluationDocument {
  const steps = liveSteps(document.steps);
  return {
    ...document,
    ...emptied(),
    wait_until: undefined,
    state: 'done',
    matched: steps.flatMap(({ matched, rule_id }) => (matched ? [rule_id] : [])),
    rules: steps.map(({ rule_id: id, rule_version: version }) => ({ id, version })),
    facts: factsAtEnd(document.facts, document.occurrence, steps),
    done_at: now,
  };
}

/** What is reported once an event is done. A test counts for no rule. */
export function eventDone(document: EvaluationDocument): EventDone {
  const { _id, origin, cause, outcome, order_id, done_at, rules, matched, error } = document;
  return {
    event_id: _id,
    origin,
    outcome: outcome ?? 'error',
    order_id,
    at: isoTime(done_at ?? 0),
    rules: cause.is_test ? [] : rules.flatMap(({ id }) => (cause.rules.includes(id) ? [] : id)),
    matched: cause.is_test ? [] : [...matched],
    ...(outcome === 'dead' && error !== null ? { reason: error } : {}),
  };
}

/** The first entry of an event that has waited for its order, handed over again under its uid: the log learns the order of it. */
function waitedEntry(document: EvaluationDocument): NewAuditEntry[] {
  const { subject, looks, order_id, wait_until } = document;
  if (subject?.kind !== 'event' || looks === undefined || wait_until === undefined || order_id === null) return [];
  return [waitingEntry({ ...document, looks: 1 }, subject.event.orderReference, wait_until)];
}
