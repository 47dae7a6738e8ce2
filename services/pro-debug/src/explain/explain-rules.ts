import type { ExplainedRule, ExplainedVerdict } from '@order-automation/contracts';
import type { CompiledRule, Facts } from '@order-automation/engine';
import { type Explanation, explain, look } from './explanation';

/** A rule with its verdict, before it is explained. */
export type Judged = {
  readonly rule: CompiledRule;
  readonly verdict: ExplainedVerdict;
  readonly stoppedBy: number | null;
};

/**
 * The verdicts of rules in order of running, as production reaches them. One that matched and stops the processing stops those after it that hear of the same:
 * of the event when there is one, else of what has the same trigger.
 */
export function judgeAll(rules: readonly CompiledRule[], facts: Facts): Judged[] {
  const stops = new Map<string, number>();
  return rules.map((rule) => {
    const { fires, matched, error } = look(rule, facts);
    const heard = (): string => (facts.occurrence === null ? JSON.stringify(rule.record.rule.trigger) : 'event');
    const stoppedBy = stops.size === 0 ? null : (stops.get(heard()) ?? null);
    const verdict = verdictOf(fires, matched, error !== null, stoppedBy !== null);
    if (verdict === 'runs' && rule.record.stop_processing) stops.set(heard(), rule.record.id);
    return { rule, verdict, stoppedBy: verdict === 'stopped' ? stoppedBy : null };
  });
}

function verdictOf(fires: boolean, matched: boolean, isBroken: boolean, isStopped: boolean): ExplainedVerdict {
  if (!fires) return 'not_listening';
  if (isStopped) return 'stopped';
  if (isBroken) return 'error';
  return matched ? 'runs' : 'no_match';
}

const order: readonly ExplainedVerdict[] = ['runs', 'error', 'no_match', 'stopped', 'not_listening', 'disabled'];

/** Those that say most first, each verdict in order of running. */
export function representativeFirst<One extends { readonly verdict: ExplainedVerdict }>(judged: readonly One[]): One[] {
  return order.flatMap((verdict) => judged.filter((one) => one.verdict === verdict));
}

export function countVerdicts(
  judged: readonly { readonly verdict: ExplainedVerdict }[],
): Record<ExplainedVerdict, number> {
  const counts = { runs: 0, no_match: 0, not_listening: 0, stopped: 0, disabled: 0, error: 0 };
  for (const { verdict } of judged) counts[verdict] += 1;
  return counts;
}

export function explainedRule({ rule, verdict, stoppedBy }: Judged, facts: Facts): ExplainedRule {
  const { id, name, version, position, enabled } = rule.record;
  const explained = explain(rule, facts);
  const { trigger, listens_to, conditions, suggestions, changes } = explained;
  return {
    rule_id: id,
    rule_name: name,
    rule_version: version,
    position,
    enabled: enabled && verdict !== 'disabled',
    verdict,
    reason: reasonOf(verdict, explained, rule.record, stoppedBy),
    trigger,
    listens_to: [...listens_to],
    conditions,
    first_failing: conditions.find(({ result }) => result === 'fail' || result === 'error') ?? null,
    suggestions,
    changes,
    stopped_by: stoppedBy,
    recorded: false,
  };
}

function reasonOf(
  verdict: ExplainedVerdict,
  explained: Explanation,
  { name, shadow }: CompiledRule['record'],
  stoppedBy: number | null,
): string {
  if (verdict === 'not_listening') return `Rule "${name}" does not run: ${explained.trigger.reason}.`;
  if (verdict === 'stopped') return `Rule "${name}" does not run: rule ${stoppedBy} ended the processing before it.`;
  if (verdict === 'disabled')
    return `Rule "${name}" is ${shadow ? 'in shadow, so it does nothing' : 'disabled'}. ${explained.reason}`;
  return explained.reason;
}
