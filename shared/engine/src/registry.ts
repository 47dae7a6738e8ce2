import type { Edition } from '@order-automation/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import type { Action, Component, ComponentKind, Condition, Trigger } from './component';
import * as builtIn from './components';

export type Registered<C extends Component> = { readonly component: C; readonly validate: ValidateFunction };

export type Registry = {
  readonly triggers: ReadonlyMap<string, Registered<Trigger>>;
  readonly conditions: ReadonlyMap<string, Registered<Condition>>;
  readonly primaryActions: ReadonlyMap<string, Registered<Action>>;
  readonly secondaryActions: ReadonlyMap<string, Registered<Action>>;
};

/** Compiles schemas of settings. Throws for one that is wrong. */
export function schemaCompiler(): (schema: Component['schema']) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, verbose: true });
  ajv.addVocabulary(['x-search-source', 'x-pattern-message']);
  return (schema) => ajv.compile(schema);
}

let compileBuiltIn: ReturnType<typeof schemaCompiler> | undefined;

/** Compiled when it is used for the first time, once for the whole process: a start has no use for most of them. */
function builtInValidator(schema: Component['schema']): ValidateFunction {
  compileBuiltIn ??= schemaCompiler();
  return compileBuiltIn(schema);
}

/** Indexes components by kind and id and compiles the schemas of extensions. Throws when an id is taken or one of these schemas is wrong. */
export function createRegistry(components: readonly Component[]): Registry {
  const compile = schemaCompiler();
  const builtInSchemas = new Set(builtInComponents.map(({ schema }) => schema));
  const withValidator = <C extends Component>(component: C): Registered<C> => {
    const { schema } = component;
    if (!builtInSchemas.has(schema)) return { component, validate: compile(schema) };
    return {
      component,
      get validate() {
        return builtInValidator(schema);
      },
    };
  };
  const ofKind = <C extends Component>(kind: ComponentKind): Map<string, Registered<C>> => {
    const registered = new Map<string, Registered<C>>();
    for (const component of components) {
      if (component.kind !== kind) continue;
      if (registered.has(component.id)) throw new Error(`The ${kind} component ${component.id} is registered twice.`);
      registered.set(component.id, withValidator(component as C));
    }
    return registered;
  };
  return {
    triggers: ofKind<Trigger>('trigger'),
    conditions: ofKind<Condition>('condition'),
    primaryActions: ofKind<Action>('primary'),
    secondaryActions: ofKind<Action>('secondary'),
  };
}

/** What the product brings, to be handed to `createRegistry`, with those of extensions. */
export const builtInComponents: readonly Component[] = Object.values(builtIn).filter(
  (one) => typeof one !== 'function',
) as unknown as Component[];

/** The same for a shop whose orders await their payment in these statuses. */
export const componentsWith = (awaiting: readonly string[]): Component[] =>
  builtInComponents.map((one) =>
    one.id === builtIn.orderProcessing.id ? (builtIn.orderProcessingOf(awaiting) as Component) : one,
  );

/** Whether an installation of this edition may use the component. */
export const isAccessible = (component: Component, edition: Edition): boolean =>
  component.edition === 'default' || edition === 'extended';
