import type { CompiledRule } from '@order-automation/engine';
import type { EvaluationDocument, RuleStep } from '../evaluation-document';

/** Rules that act: all but those in shadow, which are decided on what happens and do nothing. */
export const isLive = ({ record }: Pick<CompiledRule, 'record'>): boolean => record.enabled || !record.shadow;

export const liveSteps = (steps: readonly RuleStep[]): RuleStep[] => steps.filter(({ shadow }) => !shadow);

/** Without rules that are not evaluated again, as parts of the chain that led here. */
export const evaluatedSteps = ({ steps, cause }: Pick<EvaluationDocument, 'steps' | 'cause'>): RuleStep[] =>
  liveSteps(steps).filter(({ rule_id }) => !cause.rules.includes(rule_id));

/** The steps that stay decided when the order changed before `step`: a rule in shadow that matched is decided again, as it would be if it acted. */
export const decidedBefore = (steps: readonly RuleStep[], step: RuleStep): RuleStep[] =>
  steps
    .slice(0, steps.indexOf(step))
    .filter(({ shadow, matched, revision }) => !(shadow && matched && revision === step.revision));
