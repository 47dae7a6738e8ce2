import type { ComponentDescriptor, Edition, RequestOutput } from '@order-automation/contracts';
import {
  type Action,
  type Component,
  isAccessible,
  type Registered,
  type Registry,
  type Trigger,
} from '@order-automation/engine';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function describe(component: Component, edition: Edition): ComponentDescriptor {
  const { id, label, description, schema, extension } = component;
  const accessible = isAccessible(component, edition);
  return {
    id,
    label,
    description,
    schema: { $schema: dialect, title: label, ...schema },
    capability: component.edition,
    accessible,
    ...(extension === undefined ? {} : { extension }),
  };
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
  return [...map.values()].map(({ component }) => to(component)).sort(byPlace);
}

/** By priority, then those of the default edition, then by label. */
function byPlace(a: ComponentDescriptor, b: ComponentDescriptor): number {
  const isDefault = (one: ComponentDescriptor) => (one.is_default ? 0 : one.capability === 'default' ? 1 : 2);
  const byPriority = (a.priority ?? 0) - (b.priority ?? 0);
  return byPriority || isDefault(a) - isDefault(b) || a.label.localeCompare(b.label, 'en');
}

/** Every component (section 2.2 of the specification), triggers by priority. `inRule` is the id of the trigger that the rule at hand uses now. */
export function components(
  registry: Registry,
  edition: Edition,
  inRule: string | null = null,
): RequestOutput<'rules.component.list.v1'> {
  return {
    triggers: each(registry.triggers, (trigger) => describeTrigger(trigger, edition, inRule)),
    conditions: each(registry.conditions, (condition) => describe(condition, edition)),
    primaryActions: each(registry.primaryActions, (action) => describeAction(action, edition)),
    secondaryActions: each(registry.secondaryActions, (action) => describeAction(action, edition)),
  };
}
