import type { ComponentDescriptor, Edition } from '@order-automation/contracts';
import type { Action, Component, Trigger } from './component';
import { builtInRegistry, type Registered, type Registry } from './registry';

export type ComponentListing = {
  readonly triggers: ComponentDescriptor[];
  readonly conditions: ComponentDescriptor[];
  readonly primaryActions: ComponentDescriptor[];
  readonly secondaryActions: ComponentDescriptor[];
};

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Whether an installation of this edition may use the component. */
export function isAccessible(component: Component, edition: Edition): boolean {
  return component.edition === 'default' || edition === 'extended';
}

function describe(component: Component, edition: Edition): ComponentDescriptor {
  const { id, label, description, schema } = component;
  const accessible = isAccessible(component, edition);
  return { id, label, description, schema: { $schema: dialect, ...schema }, capability: component.edition, accessible };
}

function describeTrigger(trigger: Trigger, edition: Edition, inRule: string | null): ComponentDescriptor {
  const descriptor = describe(trigger, edition);
  return {
    ...descriptor,
    state: descriptor.accessible ? 'available' : 'locked',
    already_in_rule: trigger.id === inRule,
    is_default: trigger.isDefault,
    priority: trigger.priority,
  };
}

const describeAction = (action: Action, edition: Edition): ComponentDescriptor => ({
  ...describe(action, edition),
  is_default: action.isDefault,
});

function each<C extends Component>(
  map: ReadonlyMap<string, Registered<C>>,
  to: (component: C) => ComponentDescriptor,
): ComponentDescriptor[] {
  return [...map.values()].map(({ component }) => to(component));
}

/**
 * Every component (section 2.2 of the specification), triggers by priority. `inRule` is the id of the trigger that the rule at hand
 * uses now.
 */
export function components(
  edition: Edition,
  inRule: string | null = null,
  registry: Registry = builtInRegistry,
): ComponentListing {
  const triggers = each(registry.triggers, (trigger) => describeTrigger(trigger, edition, inRule));
  return {
    triggers: triggers.sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)),
    conditions: each(registry.conditions, (condition) => describe(condition, edition)),
    primaryActions: each(registry.primaryActions, (action) => describeAction(action, edition)),
    secondaryActions: each(registry.secondaryActions, (action) => describeAction(action, edition)),
  };
}
