import {
  type ComponentChoice,
  didYouMean,
  type Edition,
  invalidParameters,
  type RequestOutput,
  type RuleData,
  type RuleTemplate,
} from '@order-automation/contracts';
import { type Component, isAccessible, type Registered, type Registry } from '@order-automation/engine';
import data from './templates.json';

type Template = Pick<RuleTemplate, 'id' | 'name' | 'description' | 'rule'>;

/** Rules that are ready to be made. Each is checked by a test. */
export const templates = data as readonly Template[];

/** 400 for an id that no template has. */
export function templateOf(id: string): Template {
  const found = templates.find((template) => template.id === id);
  if (found) return found;
  const known = templates.map((template) => template.id);
  const message = `there is no template ${id.slice(0, 100)}${didYouMean(id, known)}`;
  throw invalidParameters([{ path: 'template', message }]);
}

function componentsOf(
  { trigger, conditions, primaryAction, secondaryActions }: RuleData,
  registry: Registry,
): Component[] {
  const find = (map: ReadonlyMap<string, Registered<Component>>, choices: readonly ComponentChoice[]) =>
    choices.flatMap(({ id }) => map.get(id)?.component ?? []);
  return [
    ...find(registry.triggers, [trigger]),
    ...find(registry.conditions, conditions),
    ...find(registry.primaryActions, primaryAction ? [primaryAction] : []),
    ...find(registry.secondaryActions, secondaryActions),
  ];
}

export async function listTemplates(
  edition: Edition,
  registry: Registry,
): Promise<RequestOutput<'rules.template.list.v1'>> {
  const listed = templates.map(({ id, name, description, rule }): RuleTemplate => {
    const components = componentsOf(rule, registry);
    const isExtended = components.some((component) => component.edition === 'extended');
    const accessible = components.every((component) => isAccessible(component, edition));
    return { id, name, description, capability: isExtended ? 'extended' : 'default', accessible, rule };
  });
  return { templates: listed };
}
