import type { Effect, FieldChange, KeyedCommand } from '@order-automation/contracts';
import type { ActionOutcome, ActionRecord, EvaluationDocument } from '../evaluations';

/** What one effect is carried out for. */
export type EffectContext = Pick<EvaluationDocument, '_id' | 'process_id' | 'order_id' | 'cause'> & {
  readonly rule: { readonly id: number; readonly name: string };
  readonly action: Pick<ActionRecord, 'index' | 'id' | 'label'>;
  readonly key: string;
  readonly expected: KeyedCommand['expected'];
};

/** `stale`: nothing was done, because the order has left the state that it was decided on. */
export type EffectResult = ActionOutcome | { readonly status: 'stale' };

/** Carries out effects of one kind, each once by its key (design: "Where new things go"). */
export type EffectKind<Kind extends Effect['kind']> = (
  effect: Extract<Effect, { kind: Kind }>,
  context: EffectContext,
) => Promise<EffectResult>;

/** One line an effect. */
export type EffectKinds = { readonly [Kind in Effect['kind']]: EffectKind<Kind> };

export type RunEffect = (
  action: ActionRecord,
  rule: EffectContext['rule'],
  document: EvaluationDocument,
) => Promise<EffectResult>;

/** The one port through which anything outside our own records changes. A test event passes it and changes nothing. */
export function effectsPort(kinds: EffectKinds): RunEffect {
  return async (action, rule, { _id, process_id, order_id, cause }) => {
    if (cause.is_test) return notRun(`Not run, this is a test: ${action.message}`);
    const { effect, key, expected, index, id, label } = action;
    const carryOut = kinds[effect.kind] as EffectKind<Effect['kind']>;
    return carryOut(effect as never, {
      _id,
      process_id,
      order_id,
      cause,
      rule,
      action: { index, id, label },
      key,
      expected,
    });
  };
}

export function notRun(message: string): ActionOutcome {
  return { status: 'skipped', by: null, message, changes: noChanges };
}

const noChanges: FieldChange[] = [];
