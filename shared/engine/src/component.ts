import type { Edition, Effect, FieldChange, Occurrence, Violation } from '@order-automation/contracts';
import type { SettingsSchema } from './settings-schema';
import type { Facts, Need, Situation } from './situation';

type Settings = Readonly<Record<string, unknown>>;

/**
 * What every component says of itself (section 2.2 of the specification, decisions.md section 4). `schema` is JSON Schema 2020-12;
 * settings reach the functions below only after they fit it and `violations` found nothing.
 */
type Described<S> = {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly edition: Edition;
  readonly schema: SettingsSchema;
  /** The module that registered it; absent of the built-in ones. */
  readonly extension?: string;
  /** What a JSON Schema cannot say. Paths are relative to the settings. */
  violations?(settings: S): Violation[];
  /** The one form in which equal settings are stored. */
  normalise?(settings: S): S;
};

/**
 * What a trigger listens to: occurrences of a type, with `to_status` only those that enter the status; or events of gateways, with `event` only
 * those of the generic type or event type that it names.
 */
export type Listening =
  | { readonly type: Exclude<Occurrence['type'], null>; readonly to_status?: string }
  | { readonly type: 'gateway_event'; readonly event?: string; readonly gateway?: string };

/** `reason` is a clause without a full stop. */
export type Fired = { readonly fires: boolean; readonly reason: string };
export type TriggerTest = (occurrence: Occurrence, facts: Facts) => Fired;

export type Trigger<S = Settings> = Described<S> & {
  readonly kind: 'trigger';
  readonly isDefault: boolean;
  /** The listing is sorted by it. */
  readonly priority: number;
  listensTo(settings: S): readonly Listening[];
  /** When it fires, as a clause: "fires when an order enters processing". */
  fires(settings: S): string;
  /** Whether an occurrence that it listens to fires it, for the order as it is. Runs once per rule. */
  compile(settings: S): TriggerTest;
};

/** What a condition wanted and what it found. `reason` is a clause without a full stop; of a failure it says what is needed. */
export type Check = {
  readonly pass: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly reason: string;
};
export type ConditionCheck = (facts: Facts) => Check;

/** A check whose reason says what was found, and what the rule needs; `found` is a clause such as "the event is verified". */
export function checked(pass: boolean, expected: string, actual: string, found: string): Check {
  return { pass, expected, actual, reason: `${found}, the rule ${pass ? 'wants' : 'needs'} ${expected}` };
}

export type Condition<S = Settings> = Described<S> & {
  readonly kind: 'condition';
  /** Facts beyond the order. A condition whose facts are missing is not asked: its result is an error. */
  readonly needs: readonly Need[];
  /** Runs once per rule, so that the check itself has nothing left to parse. */
  compile(settings: S): ConditionCheck;
  /**
   * The smallest change after which it passes, as paths that `withChanges` applies; empty when it passes as it is, null when nothing that we
   * know of would help. Runs in debugging alone.
   */
  nearest(settings: S, facts: Facts): FieldChange[] | null;
};

/** What an action does, and the same for people: what would change on the order. */
export type PlannedEffect = {
  readonly effect: Effect;
  readonly describe: { readonly message: string; readonly changes: FieldChange[] };
  /** What its texts tell of the customer, which the log does not keep (decisions.md section 7). */
  readonly personal?: readonly string[];
};

export type Action<S = Settings> = Described<S> & {
  readonly kind: 'primary' | 'secondary';
  readonly isDefault: boolean;
  /** Whether its effect changes the order (decisions.md section 6, "Order lookup"). */
  readonly changesOrder: boolean;
  /** Runs once per rule. */
  compile(settings: S): (situation: Situation) => PlannedEffect;
};

export type Component = Trigger | Condition | Action;
export type ComponentKind = Component['kind'];

type Optional<C, Key extends keyof C> = Omit<C, 'kind' | Key> & Partial<Pick<C, Key>>;

/** Without `compile` every occurrence that it listens to fires it. */
export function trigger<S = Settings>(definition: Optional<Trigger<S>, 'isDefault' | 'compile'>): Trigger<S> {
  const always = (settings: S): TriggerTest => {
    const fired: Fired = { fires: true, reason: `the trigger ${definition.fires(settings)}` };
    return () => fired;
  };
  return { isDefault: false, compile: always, ...definition, kind: 'trigger' };
}

/** The `nearest` that is given is asked only where the condition does not pass. */
export function condition<S = Settings>(definition: Optional<Condition<S>, 'needs'>): Condition<S> {
  const nearest = (settings: S, facts: Facts) =>
    definition.compile(settings)(facts).pass ? [] : definition.nearest(settings, facts);
  return { needs: [], ...definition, nearest, kind: 'condition' };
}

/** Unless it says otherwise, its effect changes the order. */
const action =
  (kind: Action['kind']) =>
  <S = Settings>(definition: Optional<Action<S>, 'isDefault' | 'changesOrder'>): Action<S> => ({
    isDefault: false,
    changesOrder: true,
    ...definition,
    kind,
  });

export const primaryAction = action('primary');
export const secondaryAction = action('secondary');

/** A component of an extension answered what it must not. The text is ours: it may stand in the log. */
export class ComponentError extends Error {}

/** What went wrong in a component, for the log: of errors that are not ours the name alone, since their texts may hold anything. */
export function causeText(error: unknown): string {
  if (error instanceof ComponentError) return error.message;
  return `it threw ${error instanceof Error ? error.name : typeof error}`;
}
