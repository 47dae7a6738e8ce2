import type { CompiledRules, Facts } from '@order-automation/engine';
import type { EvaluationDocument } from '../evaluation-document';
import { isLive } from './shadow';

/** Rules that the log names. */
const maxNamed = 3;

/** Enabled rules that hear of an occurrence which fires none, with the reason; none where the log says why in another way. */
export function unfiredRules(
  { occurrence, late, moved_before, repeats }: EvaluationDocument,
  rules: CompiledRules,
  facts: Facts,
): NonNullable<EvaluationDocument['unfired']> {
  const isSaid = late !== null || moved_before || repeats !== null;
  if (occurrence === null || occurrence.rule_id !== undefined || isSaid) return [];
  const hearing = rules.forOccurrence(occurrence).filter(isLive).slice(0, maxNamed);
  return hearing.flatMap(({ record: { name }, wouldFire }) => {
    const { would_fire, reason } = wouldFire(facts);
    return would_fire ? [] : { name, reason };
  });
}
