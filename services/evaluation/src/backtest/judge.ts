import type { EventVerdict, JudgedEvent, JudgedRule, RuleRecord } from '@order-automation/contracts';
import { type CompiledRule, compileRules, type Registry } from '@order-automation/engine';
import { reachable } from '../deciding/open';
import { factsAtFirst, factsThen, type RecordedFacts } from '../deciding/recorded-facts';
import type { EvaluationDocument, Outcome } from '../evaluation-document';

/** A rule as it would have been evaluated. */
export type Candidate = {
  readonly rule: CompiledRule;
  /** Whether a rule of this id runs before it. */
  readonly follows: (ruleId: number) => boolean;
  fires(facts: Parameters<CompiledRule['match']>[0]): boolean;
};

/** `positions` are those of the enabled rules as they are now; a rule that nobody knows any more ran before. */
export function candidateOf(
  record: RuleRecord,
  positions: ReadonlyMap<number, number>,
  registry: Registry,
): Candidate | null {
  const compiled = compileRules([{ ...record, enabled: true }], registry);
  const [rule] = compiled.all;
  if (!rule) return null;
  const { id, position } = record;
  const follows = (other: number): boolean => {
    const place = positions.get(other);
    if (other === id) return false;
    return place === undefined || place < position || (place === position && other < id);
  };
  const fires: Candidate['fires'] = (facts) =>
    facts.occurrence !== null && compiled.firing(facts.occurrence, facts).length > 0;
  return { rule, follows, fires };
}

/** Outcomes of events that no rule was evaluated for, whatever the rule. */
const untouched: ReadonlySet<Outcome | null> = new Set<Outcome>(['stale', 'too_deep', 'no_order']);

/**
 * Whether the rule would have run for an event that is done, and what it would have done: its trigger by the facts that the event found, its conditions by those
 * of the moment at which it was decided, or would have been. `unknown`: what it asks for was not recorded.
 */
export function judge(candidate: Candidate, document: EvaluationDocument, timeZone: string): JudgedRule {
  const { outcome, facts, cause } = document;
  const { rule, follows } = candidate;
  const { id } = rule.record;
  if (untouched.has(outcome) || cause.rules.includes(id)) return judgedAs('no_match');
  if (!facts) return judgedAs('unknown');
  const rules = document.rules.map((one) => one.id);
  const own = rules.indexOf(id);
  const isOwn = own >= 0;
  const before = isOwn ? rules.slice(0, own + 1) : rules.filter(follows);
  const { stopped_by } = facts;
  if (stopped_by !== undefined && stopped_by !== id && before.includes(stopped_by)) return judgedAs('no_match');
  const [first, then] = [factsAtFirst(document, timeZone), factsThen(document, { rules: before, isOwn }, timeZone)];
  if (!first || !then) return judgedAs('unknown');
  if (!candidate.fires(first) || reachable(document, [rule]).length === 0) return judgedAs('no_match');
  if (lacksFacts(rule, facts)) return judgedAs('unknown');
  if (!rule.match(then).matched) return judgedAs('no_match');
  return { verdict: 'match', actions: rule.plan(then).map((action) => ({ id: action.id, label: action.label })) };
}

const judgedAs = (verdict: EventVerdict): JudgedRule => ({ verdict, actions: [] });

/** The customer was not asked for then, or a field that the rule looks at is not kept. */
function lacksFacts({ needs, record }: CompiledRule, { customer, omitted = [] }: RecordedFacts): boolean {
  if (needs.includes('customer') && customer === undefined) return true;
  return record.rule.conditions.some(
    ({ id, settings }) => id === 'order_meta' && omitted.includes(String(settings.key)),
  );
}

export function judgedEvent(
  document: EvaluationDocument,
  candidate: Candidate,
  saved: Candidate | null,
  timeZone: string,
): JudgedEvent {
  const { _id: event_id, process_id, order_id, cause, facts, done_at } = document;
  const { total = null, currency = null } = (facts?.order ?? {}) as { total?: string; currency?: string };
  return {
    event_id,
    process_id,
    order_id,
    at: new Date(done_at ?? 0).toISOString(),
    event_type: cause.event_type,
    gateway: cause.gateway,
    value: total === null || currency === null ? null : { total, currency },
    candidate: judge(candidate, document, timeZone),
    saved: saved && judge(saved, document, timeZone),
  };
}
