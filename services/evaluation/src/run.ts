import { type CompiledRule, type Facts, needsOf } from '@order-automation/engine';
import type { Clock, InSequence } from '@order-automation/service';
import type { Claims } from './attempts/claims';
import { stepUnavailable } from './attempts/failures';
import type { Finish } from './attempts/finish';
import type { WaitingRoom } from './attempts/waiting';
import { decide, outcomeOf, pendingStep, remaining } from './deciding/decide';
import { fired, openDocument, reachable } from './deciding/open';
import { foundSince, recordedFacts } from './deciding/recorded-facts';
import type { RuleCache } from './deciding/rule-cache';
import { decidedBefore, isLive, liveSteps } from './deciding/shadow';
import { decideUnasked, noteUnasked, type Unasked } from './deciding/shadow-unasked';
import { unfiredRules } from './deciding/unfired';
import type { RunStep } from './effects/effects';
import { type EvaluationDocument, newDocument, type Outcome } from './evaluation-document';
import { stateOf } from './history/object-states';
import type { OrderHistory } from './history/order-history';
import { type Look, lookAfter } from './money/after-event';
import type { DisabledRules } from './ports/disabled-rules';
import type { Found, Shop } from './ports/shop';
import type { Task } from './task';
import type { Stopwatch, Telemetry } from './telemetry';

export type Ports = {
  readonly shop: Shop;
  readonly claims: Claims;
  /** One event of an order at a time; events of different orders run side by side. */
  readonly inTurn: InSequence;
  readonly history: OrderHistory;
  readonly rules: RuleCache;
  readonly disabledRules: DisabledRules;
  readonly runStep: RunStep;
  readonly waiting: Pick<WaitingRoom, 'waitFor'>;
  readonly finish: Finish;
  /** Has an order looked at, and the money that was paid for it. */
  readonly lookAtMoney: (orderId: number, look: Look) => Promise<void>;
  readonly clock: Clock;
  readonly stopwatch: Telemetry['stopwatch'];
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
  readonly awaiting: ReadonlySet<string>;
};

/** `waiting`: for its order; `taken`: another process has it. */
export type Ended = Outcome | 'waiting' | 'taken';

/**
 * One event from beginning to end (architecture, "Flow of one webhook"): load, claim, decide, effects, finish. A takeover passes the `document` that
 * it has taken. It knows nothing of other events; `attempt` classifies errors.
 */
export async function run(task: Task, ports: Ports, document = newDocument(task)): Promise<Ended> {
  const { shop, waiting, inTurn } = ports;
  const passed = ports.stopwatch(Date.parse(task.cause.received_at), ports.clock.now);
  let found = await shop.find(task);
  if (!found) {
    const isNew = document.looks === undefined;
    const ended = await waiting.waitFor(document, task);
    // It may have appeared before anybody knew that it is waited for.
    found = ended === 'waiting' && isNew ? await shop.find(task) : null;
    if (!found) return ended;
    document.state = 'open';
  }
  if ('rejection' in found) {
    document.rejection = found.rejection;
    document.outcome = found.rejection.kind === 'foreign' ? 'order_foreign' : 'order_ambiguous';
    return ports.finish(document);
  }
  const { context, ...how } = found;
  return inTurn([context.order.id], async (waited) => {
    passed('taken_up');
    const current = waited ? ((await shop.get(context.order.id)) ?? context) : context;
    return evaluate(task, { ...how, context: current }, ports, document, passed);
  });
}

/** A revision that no order has: the shop answers a step with what it did before, or not at all. */
const neverCurrent = 'passed';

/** Decisions on an order that somebody else keeps changing, before the event is put back. */
const maxRounds = 20;

async function evaluate(
  task: Task,
  found: Found,
  ports: Ports,
  document: EvaluationDocument,
  passed: Stopwatch,
): Promise<Ended> {
  const { claims, finish } = ports;
  let [isPassed, isNew] = [false, false];
  const recordedOn = document.occurrence === null ? found.context : null;
  if (document.occurrence === null) isNew = await begin(task, found, ports, document);
  else isPassed = await wasPassed(task, ports, document);
  let rules: readonly CompiledRule[] = await ports.rules.versions(document.rules);
  let { context } = found;
  const unasked: Unasked = new Map();
  for (let round = 0; ; round += 1) {
    if (round === maxRounds)
      throw stepUnavailable('The order kept changing while its rules were decided.', 'order', null);
    if (!pendingStep(document) && !isPassed) {
      const asking = remaining(document, rules).some(isLive) ? rules : [];
      const facts = await factsOf(document, context, asking, ports);
      const later = context === recordedOn ? undefined : foundSince(document.facts, facts);
      const asked = needsOf(asking.filter(isLive));
      const steps = decide(document, rules, facts, asked);
      noteUnasked(unasked, steps, facts, asked, rules);
      document.steps.push(...(later ? steps.map((step) => ({ ...step, found: later })) : steps));
    }
    const step = pendingStep(document);
    if (!step) break;
    if (!(await claims.save(document))) return 'taken';
    passed('decided');
    const ended = await ports.runStep(isPassed ? { ...step, revision: neverCurrent } : step, document, isPassed);
    passed('effects');
    if (ended.context) {
      context = ended.context;
      await noteOwnChange(document, step.rule_id, context.revision, ports);
    }
    if (ended.kind === 'stale') {
      // Nothing was done: decided again on the order as it is, unless a later event has passed this one.
      document.steps = decidedBefore(document.steps, step);
      isPassed ||= await wasPassed(task, ports, document);
      if (!isPassed) rules = await reopen(task, { ...found, context }, ports, document, rules);
    } else {
      round = 0;
      delete document.delayed_since;
      if (remaining(document, rules).length === 0) break;
    }
  }
  await decideUnasked(document, rules, unasked, ports.shop);
  if (isPassed && liveSteps(document.steps).length === 0) document.outcome = 'stale';
  document.outcome = outcomeOf(document);
  if (document.outcome === 'no_rules') await noteUnfired(document, context, ports);
  const look = lookAfter(document, context.order, ports.awaiting);
  if (look) await ports.lookAtMoney(context.order.id, look);
  const ended = await finish(document, isNew);
  passed('done');
  return ended;
}

/** Of an event that fired no rule: which rules would have listened if they were enabled, and which listen and did not fire. */
async function noteUnfired(document: EvaluationDocument, context: Found['context'], ports: Ports): Promise<void> {
  if (document.occurrence === null) return;
  const disabled = await ports.disabledRules(document.occurrence);
  if (disabled && disabled.total > 0) document.disabled = disabled;
  const unfired = unfiredRules(document, ports.rules.current(), await factsOf(document, context, [], ports));
  if (unfired.length > 0) document.unfired = unfired;
}

/** What the shop's own webhooks say of a change of an order. */
const shopReports = ['order_updated', 'order_completed', 'order_cancelled'] as const;

/** Where rules listen to the shop's reports, our own change comes back as an event: it belongs to the chain that led there, which ends as every chain. */
async function noteOwnChange(
  { cause, occurrence, order_id }: EvaluationDocument,
  ruleId: number,
  revision: string | undefined,
  { rules, history }: Ports,
): Promise<void> {
  if (revision === undefined || occurrence === null || order_id === null) return;
  const isHeard = shopReports.some((type) => {
    const echo = { ...occurrence, type, event_type: `payment.shop.${type}`, gateway: 'gateway_shop' };
    return rules.current().forOccurrence(echo).some(isLive);
  });
  if (!isHeard) return;
  const changed = { revision, depth: cause.depth + 1, rules: [...cause.rules, ruleId] };
  await history.note(order_id, (known) => ({ result: null, after: { ...known, changed } }), true);
}

/** Whether a later state of the object was noted while this event was tried again. */
async function wasPassed({ subject, cause }: Task, ports: Ports, document: EvaluationDocument): Promise<boolean> {
  if (subject.kind !== 'event' || cause.is_test || document.order_id === null) return false;
  const state = stateOf(subject.event, ports.clock.now());
  return state !== null && (await ports.history.isPassed(document.order_id, state));
}

/**
 * What the event means and which rules it fires, from the order as the event finds it. All of it or nothing: a document with an occurrence has its
 * rules, so that the next try of one that failed here begins anew. Resolves with whether nobody has evaluated it before, as far as one can say.
 */
async function begin(task: Task, found: Found, ports: Ports, document: EvaluationDocument): Promise<boolean> {
  const begun = { ...document };
  const isNew = await openDocument(begun, task, found, openingOf(ports));
  begun.facts = recordedFacts(found.context, ports.clock.now());
  const rules = await firedRules(begun, found, ports);
  Object.assign(document, begun, { rules: rules.map(({ record: { id, version } }) => ({ id, version })) });
  return isNew;
}

/**
 * What the event means for an order that somebody else has changed since it was opened: what followed its payment may have set the status, or the order waits
 * for no payment any more. Resolves with the rules that may still act; those whose trigger no longer fires may not, unless the event has moved the order itself.
 */
async function reopen(
  task: Task,
  found: Found,
  ports: Ports,
  document: EvaluationDocument,
  rules: readonly CompiledRule[],
): Promise<readonly CompiledRule[]> {
  const again = { ...document, late: null, overtaken_by: null, held: null, outcome: null };
  await openDocument(again, task, found, openingOf(ports));
  const { late, overtaken_by, held, outcome, mismatch, own, partial } = again;
  Object.assign(document, { late, overtaken_by, held, outcome, mismatch, own, partial });
  const { occurrence, original, steps } = document;
  if (occurrence === null || outcome !== null || (partial && occurrence.type === 'payment_completed')) return [];
  const isUntouched = original === null && steps.every(({ actions }) => actions.length === 0);
  const facts = isUntouched ? await factsOf(document, found.context, rules, ports) : null;
  return reachable(
    document,
    rules.filter((rule) => facts === null || rule.fires(occurrence, facts)),
  );
}

const openingOf = ({ history, awaiting, clock }: Ports) => ({ history, awaiting, now: clock.now() });

async function firedRules(document: EvaluationDocument, found: Found, ports: Ports): Promise<readonly CompiledRule[]> {
  const { original, outcome, occurrence } = document;
  if (occurrence === null || outcome !== null) return [];
  if (original !== null) return reachable(document, await ports.rules.versions(original));
  const rules = ports.rules.current();
  const facts = await factsOf(document, found.context, rules.forOccurrence(occurrence), ports);
  if (document.facts && facts.customer) document.facts = { ...document.facts, customer: facts.customer };
  return fired(document, rules, facts);
}

async function factsOf(
  { occurrence }: EvaluationDocument,
  context: Found['context'],
  rules: readonly CompiledRule[],
  { shop, clock, timeZone }: Ports,
): Promise<Facts> {
  const customer = needsOf(rules.filter(isLive)).has('customer') ? await shop.customer(context) : null;
  return { context, occurrence, customer, now: clock.now(), timeZone };
}
