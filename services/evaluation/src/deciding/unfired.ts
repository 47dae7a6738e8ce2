import type { CompiledRules, Facts } from '@order-automation/engine';
import type { EvaluationDocument } from '../evaluation-document';
import { isLive } from './shadow';

/** Rules that the log names. */
const maxNamed = 3;

/**
 * Enabled rules that hear of an occurrence which fires none, with the reason; none where the log says why in another way. The webhook of a new order fires
 * none: the order does.
 */
export function unfiredRules(
  { occurrence, late, moved_before, repeats, cause }: EvaluationDocument,
  rules: CompiledRules,
  facts: Facts,
): NonNullable<EvaluationDocument['unfired']> {
  const isSaid = late !== null || moved_before || repeats !== null || cause.event_type === 'payment.shop.order_created';
  if (occurrence === null || occurrence.rule_id !== undefined || isSaid) return [];
  const hearing = rules.forOccurrence(occurrence).filter(isLive).slice(0, maxNamed);
  return hearing.flatMap(({ record: { name }, wouldFire }) => {
    const { would_fire, reason } = wouldFire(facts);
    return would_fire ? [] : { name, reason };
  });
}
