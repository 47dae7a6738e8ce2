import type { Effect } from '@order-automation/contracts';
import type { ActionOutcome, ActionRecord, EvaluationDocument, RuleStep } from '../evaluation-document';

/** What one effect is carried out for. */
export type EffectContext = Pick<EvaluationDocument, '_id' | 'process_id' | 'order_id' | 'email' | 'cause'> & {
  readonly rule: { readonly id: number; readonly name: string };
  readonly action: Pick<ActionRecord, 'index' | 'id' | 'label'>;
  readonly key: string;
};

export type OutboundKind = Exclude<Effect['kind'], 'order'>;

/** Carries out effects of one kind that leave our own records, each once by its key (design: "Where new things go"). */
export type EffectKind<Kind extends OutboundKind> = (
  effect: Extract<Effect, { kind: Kind }>,
  context: EffectContext,
) => Promise<ActionOutcome>;

/** One line an effect. */
export type EffectKinds = { readonly [Kind in OutboundKind]: EffectKind<Kind> };

export function contextOf(
  { index, id, label, key }: ActionRecord,
  { rule_id, rule_name }: RuleStep,
  { _id, process_id, order_id, email, cause }: EvaluationDocument,
): EffectContext {
  const rule = { id: rule_id, name: rule_name };
  return { _id, process_id, order_id, email, cause, rule, action: { index, id, label }, key };
}

export const notRun = (message: string): ActionOutcome => ({ status: 'skipped', by: null, message, changes: [] });
