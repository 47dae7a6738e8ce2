import type { AnswerTo } from '@order-automation/api-gateway/client';
import type { Choice } from './draft';

export type Components = Extract<AnswerTo<'GET /v1/rule-builder/components'>, { ok: true }>['body'];
export type Component = Components['triggers'][number];
export type Kind = 'triggers' | 'conditions' | 'primaryActions' | 'secondaryActions';

export function componentOf(components: Components, kind: Kind, id: string): Component | undefined {
  return components[kind].find((component) => component.id === id);
}

/** A rule in a few words: `Order enters processing → Change status to completed`. */
export function inShort(
  components: Components | undefined,
  rule: {
    trigger: Choice;
    conditions: readonly Choice[];
    primaryAction: Choice | null;
    secondaryActions: readonly Choice[];
  },
): string {
  const label = (kind: Kind, { id }: Choice) => components?.[kind].find((one) => one.id === id)?.label ?? id;
  const actions = [
    ...(rule.primaryAction ? [label('primaryActions', rule.primaryAction)] : []),
    ...rule.secondaryActions.map((action) => label('secondaryActions', action)),
  ];
  const conditions = rule.conditions.map((condition) => label('conditions', condition));
  return [
    label('triggers', rule.trigger),
    ...(conditions.length > 0 ? [`if ${conditions.join(', ')}`] : []),
    `then ${actions.join(', ') || 'nothing'}`,
  ].join(' · ');
}
