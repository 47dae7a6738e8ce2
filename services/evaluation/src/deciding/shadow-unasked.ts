import type { CompiledRule, Facts, Need } from '@order-automation/engine';
import type { EvaluationDocument, RuleStep } from '../evaluation-document';
import type { Shop } from '../ports/shop';
import { decideAgain } from './decide';

/** Facts by rule id, of rules in shadow that ask for what no other rule asked for when they were decided. */
export type Unasked = Map<number, Facts>;

/** Of steps that were decided with the facts that were `asked` for. */
export function noteUnasked(
  unasked: Unasked,
  steps: readonly RuleStep[],
  facts: Facts,
  asked: ReadonlySet<Need>,
  rules: readonly CompiledRule[],
): void {
  for (const { rule_id, shadow } of steps) {
    const rule = shadow && rules.find(({ record }) => record.id === rule_id);
    if (rule?.needs.some((need) => !asked.has(need))) unasked.set(rule_id, facts);
  }
}

/** Decides these rules when the others are through, so that none waits for what only they ask of the shop. A shop that cannot say leaves them undecided. */
export async function decideUnasked(
  document: EvaluationDocument,
  rules: readonly CompiledRule[],
  unasked: Unasked,
  shop: Pick<Shop, 'customer'>,
): Promise<void> {
  for (const [at, step] of document.steps.entries()) {
    const facts = unasked.get(step.rule_id);
    const rule = rules.find(({ record }) => record.id === step.rule_id);
    if (!facts || !rule) continue;
    const customer = await shop.customer(facts.context).catch(() => undefined);
    if (customer !== undefined) document.steps[at] = decideAgain(step, rule, { ...facts, customer }, document);
  }
}
