import type { ComponentChoice, RuleData } from '@order-automation/contracts';
import type { RuleFields } from './rule-documents';

type Change<T> = { readonly from: T; readonly to: T };
type ListChange = {
  readonly added: ComponentChoice[];
  readonly removed: ComponentChoice[];
  readonly changed: { readonly id: string; readonly from: object; readonly to: object }[];
  readonly reordered: boolean;
};

/** JSON in which the order of keys does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** Members of `list` that `other` has no equal left for. */
function surplus(list: readonly ComponentChoice[], other: readonly ComponentChoice[]): ComponentChoice[] {
  const left = other.map(canonical);
  return list.filter((choice) => {
    const at = left.indexOf(canonical(choice));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function listChange(before: readonly ComponentChoice[], after: readonly ComponentChoice[]): ListChange | undefined {
  if (same(before, after)) return undefined;
  const removed = surplus(before, after);
  const changed: ListChange['changed'] = [];
  const added = surplus(after, before).filter(({ id, settings }) => {
    const at = removed.findIndex((choice) => choice.id === id);
    const [old] = at < 0 ? [] : removed.splice(at, 1);
    if (old) changed.push({ id, from: old.settings, to: settings });
    return old === undefined;
  });
  return { added, removed, changed, reordered: added.length + removed.length + changed.length === 0 };
}

const change = <T>(from: T, to: T): Change<T> | undefined => (same(from, to) ? undefined : { from, to });

const compared = (before: RuleFields, after: RuleFields) => ({
  name: change(before.name, after.name),
  enabled: change(before.enabled, after.enabled),
  shadow: change(before.shadow ?? false, after.shadow ?? false),
  position: change(before.position, after.position),
  stop_processing: change(before.stop_processing, after.stop_processing),
  trigger: change(before.rule.trigger, after.rule.trigger),
  conditions: listChange(before.rule.conditions, after.rule.conditions),
  primary_action: change(before.rule.primaryAction, after.rule.primaryAction),
  secondary_actions: listChange(before.rule.secondaryActions, after.rule.secondaryActions),
});

/** What a save changed; a key is there only when something did. */
export type RuleDifference = Partial<ReturnType<typeof compared>>;

/** Compares two states of a rule (decisions.md section 3: a save is audited with what changed). */
export const ruleDifference = (before: RuleFields, after: RuleFields): RuleDifference =>
  Object.fromEntries(Object.entries(compared(before, after)).filter(([, value]) => value !== undefined));

/** `order_total` is "order total". */
const nameOf = (choice: { readonly id: string } | null): string => choice?.id.replaceAll('_', ' ') ?? 'none';
const names = (choices: readonly { id: string }[]): string => choices.map(nameOf).join(', ');

const choiceText = (what: string, { from, to }: Change<ComponentChoice | null>): string =>
  nameOf(from) === nameOf(to) ? `settings of ${what} ${nameOf(to)}` : `${what} ${nameOf(from)} → ${nameOf(to)}`;

function listText(what: string, { added, removed, changed, reordered }: ListChange): string[] {
  return [
    ...(added.length > 0 ? [`${what} added: ${names(added)}`] : []),
    ...(removed.length > 0 ? [`${what} removed: ${names(removed)}`] : []),
    ...(changed.length > 0 ? [`settings of ${what}: ${names(changed)}`] : []),
    ...(reordered ? [`${what} in another order`] : []),
  ];
}

/** `enabled`, `disabled`, `from shadow to enabled`. */
function stateText({ enabled, shadow }: RuleDifference): string[] {
  if (!shadow) return enabled ? [enabled.to ? 'enabled' : 'disabled'] : [];
  const other = enabled ? 'enabled' : 'disabled';
  return [shadow.to ? `from ${other} to shadow` : `from shadow to ${other}`];
}

/** The difference in words: "trigger a → b, conditions added: order total". */
export function differenceText(difference: RuleDifference): string {
  const { name, position, stop_processing, trigger, conditions, primary_action, secondary_actions } = difference;
  const parts = [
    ...(name ? [`name "${name.from}" → "${name.to}"`] : []),
    ...stateText(difference),
    ...(position ? [position.to < position.from ? 'moved up' : 'moved down'] : []),
    ...(stop_processing ? [stop_processing.to ? 'now stops later rules' : 'no longer stops later rules'] : []),
    ...(trigger ? [choiceText('trigger', trigger)] : []),
    ...(conditions ? listText('conditions', conditions) : []),
    ...(primary_action ? [choiceText('main action', primary_action)] : []),
    ...(secondary_actions ? listText('further actions', secondary_actions) : []),
  ];
  return parts.length > 0 ? parts.join('; ') : 'nothing changed';
}

export function ruleText({ trigger, conditions, primaryAction, secondaryActions }: RuleData): string {
  return [
    `trigger ${nameOf(trigger)}`,
    `conditions: ${names(conditions) || 'none'}`,
    `main action ${nameOf(primaryAction)}`,
    `further actions: ${names(secondaryActions) || 'none'}`,
  ].join('; ');
}
