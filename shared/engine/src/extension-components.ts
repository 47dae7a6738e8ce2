import { awaitingPayment, didYouMean, effectSchema, fieldChangeSchema } from '@order-automation/contracts';
import {
  type Check,
  type Component,
  ComponentError,
  causeText,
  condition,
  type Fired,
  type PlannedEffect,
  primaryAction,
  secondaryAction,
  type Trigger,
  trigger,
} from './component';
import { componentsWith, createRegistry, type Registry, schemaCompiler } from './registry';

type Definition = Readonly<Record<string, unknown>>;

/**
 * With these a module of EXTENSIONS registers components, through the same interface as the built-in ones (`component.ts`); a definition
 * without `edition` is of the default one. Each throws when the definition is wrong or its id is taken.
 */
export type ComponentRegistrar = {
  registerTrigger(definition: Definition): void;
  registerCondition(definition: Definition): void;
  registerPrimaryAction(definition: Definition): void;
  registerSecondaryAction(definition: Definition): void;
};

/**
 * The built-in components and those that `load` registers: it asks for a registrar for each module by its name. `awaiting`: the statuses in which orders
 * await their payment. Rejects as `load` does.
 */
export async function registryWith(
  load: (registrarOf: (module: string) => ComponentRegistrar) => Promise<void>,
  awaiting: readonly string[] = awaitingPayment,
): Promise<Registry> {
  const components = componentsWith(awaiting);
  await load((module) => registrar(module, components));
  return createRegistry(components);
}

function registrar(module: string, components: Component[]): ComponentRegistrar {
  const extension = module.split('/').at(-1) ?? module;
  const compile = schemaCompiler();
  const add = (what: string, made: Component, definition: Definition): void => {
    const isTaken = components.some(({ kind, id }) => kind === made.kind && id === made.id);
    const problems = [...problemsOf(made, definition), ...(isTaken ? ['its id is taken'] : [])];
    if (problems.length > 0) throw new Error(`${what} ${String(definition.id)}: ${problems.join('; ')}`);
    try {
      compile(made.schema);
    } catch (error) {
      throw new Error(`${what} ${made.id}: schema: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
    components.push(guarded(made));
  };
  const standard = { extension, edition: 'default', priority: 100, nearest: () => null };
  return {
    registerTrigger: (one) => add('trigger', trigger({ ...standard, ...one } as never), one),
    registerCondition: (one) => add('condition', condition({ ...standard, ...one } as never), one),
    registerPrimaryAction: (one) => add('primary action', primaryAction({ ...standard, ...one } as never), one),
    registerSecondaryAction: (one) => add('secondary action', secondaryAction({ ...standard, ...one } as never), one),
  };
}

const ofAll = ['id', 'label', 'description', 'edition', 'schema', 'violations', 'normalise', 'compile'];
const fields: Readonly<Record<Component['kind'], readonly string[]>> = {
  trigger: [...ofAll, 'isDefault', 'priority', 'listensTo', 'fires'],
  condition: [...ofAll, 'needs', 'nearest'],
  primary: [...ofAll, 'isDefault', 'changesOrder'],
  secondary: [...ofAll, 'isDefault', 'changesOrder'],
};
/** Those that a component has to have, of the kinds that know them. */
const functions = ['compile', 'listensTo', 'fires', 'nearest'];

function problemsOf(made: Component, definition: Definition): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string) => holds || problems.push(problem);
  const known = fields[made.kind];
  const all = made as unknown as Definition;
  for (const name of Object.keys(definition).filter((one) => !known.includes(one)))
    problems.push(`${name} is not a field of it${didYouMean(name, known).replace(';', ',')}`);
  demand(/^[a-z][a-z0-9_]{0,99}$/.test(String(made.id)), 'id must be lower-case letters, digits and _');
  for (const name of ['label', 'description'])
    demand(typeof all[name] === 'string' && all[name] !== '', `${name} must be a text`);
  demand(made.edition === 'default' || made.edition === 'extended', 'edition must be default or extended');
  demand(made.schema?.type === 'object', 'schema must be a JSON Schema with the type object');
  for (const name of functions.filter((one) => known.includes(one)))
    demand(typeof all[name] === 'function', `${name} must be a function`);
  for (const name of ['violations', 'normalise'])
    demand(all[name] === undefined || typeof all[name] === 'function', `${name} must be a function`);
  if (made.kind === 'trigger') demand(Number.isInteger(made.priority), 'priority must be a whole number');
  const areNeeds = (needs: unknown) => Array.isArray(needs) && needs.every((need) => need === 'customer');
  if (made.kind === 'condition') demand(areNeeds(made.needs), 'needs can name customer alone');
  return problems;
}

/** What its functions answer is looked at: an extension that is wrong may fail its own rules and nothing else. */
function guarded(made: Component): Component {
  const { violations, normalise } = made;
  const common = {
    ...(violations && { violations: (settings: never) => attempt(() => violations(settings), couldNotCheck) }),
    ...(normalise && {
      normalise: (settings: never) =>
        attempt(
          () => normalise(settings),
          () => settings,
        ),
    }),
  };
  if (made.kind === 'trigger') return { ...made, ...common, ...guardedTrigger(made) };
  if (made.kind === 'condition') return { ...made, ...common, compile: looking(made.compile, checkOf) };
  return { ...made, ...common, compile: looking(made.compile, plannedOf) };
}

const couldNotCheck = (error: unknown) => [{ path: '', message: `could not be checked: ${causeText(error)}` }];

function guardedTrigger({ id, compile, listensTo }: Trigger): Pick<Trigger, 'compile' | 'listensTo'> {
  return {
    listensTo: (settings) => {
      const listening = listensTo(settings);
      if (!Array.isArray(listening) || listening.some((one) => typeof one?.type !== 'string'))
        throw new ComponentError('listensTo must return a list of { type }');
      return listening;
    },
    compile: (settings) => {
      const test = functionOf(compile(settings));
      return (occurrence, facts) =>
        attempt(
          () => firedOf(test(occurrence, facts)),
          (error) => ({ fires: false, reason: `the trigger ${id} failed: ${causeText(error)}` }),
        );
    },
  };
}

function firedOf(fired: Fired): Fired {
  if (typeof fired?.fires !== 'boolean' || typeof fired.reason !== 'string')
    throw new ComponentError('a trigger must return { fires, reason }');
  return fired;
}

/** What `compile` makes, with each answer of it looked at. */
const looking =
  <Settings, Input, Output>(
    compile: (settings: Settings) => (input: Input) => Output,
    look: (output: Output) => Output,
  ) =>
  (settings: Settings) => {
    const made = functionOf(compile(settings));
    return (input: Input): Output => look(made(input));
  };

function checkOf(check: Check): Check {
  const texts = [check?.expected, check?.actual, check?.reason];
  if (typeof check?.pass !== 'boolean' || texts.some((text) => typeof text !== 'string'))
    throw new ComponentError('a condition must return { pass, expected, actual, reason }');
  return check;
}

function plannedOf(planned: PlannedEffect): PlannedEffect {
  const effect = effectSchema.safeParse(planned?.effect);
  const { message, changes = [] } = planned?.describe ?? {};
  const read = fieldChangeSchema.array().safeParse(changes);
  if (!effect.success || typeof message !== 'string' || !read.success)
    throw new ComponentError('an action must return { effect, describe: { message, changes } }');
  return { effect: effect.data, describe: { message, changes: read.data } };
}

function functionOf<F>(made: F): F {
  if (typeof made !== 'function') throw new ComponentError('compile must return a function');
  return made;
}

function attempt<T>(act: () => T, otherwise: (error: unknown) => T): T {
  try {
    return act();
  } catch (error) {
    return otherwise(error);
  }
}
