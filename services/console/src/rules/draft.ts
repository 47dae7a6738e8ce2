import type { Violation } from '../shell/load';

/** A rule while it is edited. Pure. */

export type Choice = { readonly id: string; readonly settings: Readonly<Record<string, unknown>> };
export type RuleData = {
  readonly trigger: Choice;
  readonly conditions: readonly Choice[];
  readonly primaryAction: Choice | null;
  readonly secondaryActions: readonly Choice[];
};
export type Draft = { readonly name: string; readonly stop_processing: boolean; readonly rule: RuleData };

export const kinds = ['triggers', 'conditions', 'primaryActions', 'secondaryActions'] as const;
export type Kind = (typeof kinds)[number];
/** The id of the form of a part in the page. */
export const partId = (kind: Kind, index: number): string => `part-${kind}-${index}`;
type Parts = Readonly<Record<Kind, readonly Choice[]>>;

/** The parts of a rule by kind: at most one trigger and one main action. */
export function partsOf({ trigger, conditions, primaryAction, secondaryActions }: RuleData): Parts {
  const [triggers, primaryActions] = [trigger.id === '' ? [] : [trigger], primaryAction ? [primaryAction] : []];
  return { triggers, conditions, primaryActions, secondaryActions };
}

export function ruleOf({ triggers, conditions, primaryActions, secondaryActions }: Parts): RuleData {
  const [trigger, primaryAction] = [triggers[0] ?? { id: '', settings: {} }, primaryActions[0] ?? null];
  return { trigger, conditions, primaryAction, secondaryActions };
}

const none = { triggers: [], conditions: [], primaryActions: [], secondaryActions: [] };
export const emptyDraft: Draft = { name: '', stop_processing: false, rule: ruleOf(none) };

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** What must be sent so that one item changes its place: the items between both places, in their new order. */
export function between<T>(list: readonly T[], from: number, to: number): T[] {
  return moved(list, from, to).slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** Violations of one part of a rule, such as `conditions.0`, by the name of the field; `''` is the part itself. */
export function problemsOf(violations: readonly Violation[], part: string): Readonly<Record<string, string>> {
  const prefix = `rule.${part}`;
  const own = violations.filter(({ path }) => path === prefix || path.startsWith(`${prefix}.`));
  return Object.fromEntries(
    own.map(({ path, message }) => [/\.settings\.([^.]+)/.exec(path.slice(prefix.length))?.[1] ?? '', message]),
  );
}

/** What no field of the form can show. */
export function otherProblems(violations: readonly Violation[]): Violation[] {
  return violations.filter(
    ({ path }) =>
      !/^rule\.(trigger|primaryAction|conditions\.\d+|secondaryActions\.\d+)(\.|$)/.test(path) && path !== 'name',
  );
}
