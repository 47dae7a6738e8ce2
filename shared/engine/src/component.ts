import type {
  Edition,
  FieldChange,
  Occurrence,
  Order,
  OrderCommand,
  OrderContext,
  Violation,
} from '@order-automation/contracts';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Settings = Readonly<Record<string, unknown>>;

/**
 * What every component says of itself (section 2.2 of the specification, decisions.md section 4). `schema` is JSON Schema 2020-12;
 * settings reach the functions below only after they fit it and `violations` found nothing.
 */
type Described<S> = {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly edition: Edition;
  readonly schema: JsonSchema;
  /** What a JSON Schema cannot say. Paths are relative to the settings. */
  violations?(settings: S): Violation[];
  /** The one way in which equal settings are stored. */
  normalise?(settings: S): S;
};

/** One kind of occurrence. Without `to_status` every status will do. */
export type Listening = { readonly type: Occurrence['type']; readonly to_status?: string };

export type Trigger<S = Settings> = Described<S> & {
  readonly kind: 'trigger';
  readonly isDefault: boolean;
  readonly priority: number;
  /** It fires on these occurrences and on no other. */
  listensTo(settings: S): readonly Listening[];
  /** Without an occurrence: whether it would fire for an order in its present status. */
  wouldFire(settings: S, order: Order): { would_fire: boolean; reason: string };
};

/** What a condition wanted and what it found. `reason` is a clause without a full stop; of a failure it says what is needed. */
export type Check = {
  readonly pass: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly reason: string;
};
export type ConditionCheck = (context: OrderContext, occurrence: Occurrence | null) => Check;

export type Condition<S = Settings> = Described<S> & {
  readonly kind: 'condition';
  /** Runs once per rule, so that the check itself has nothing left to parse. */
  compile(settings: S): ConditionCheck;
};

/** All that an action may know. `now` is in milliseconds since the epoch; there is no occurrence when a rule is only tested. */
export type Situation = {
  readonly context: OrderContext;
  readonly occurrence: Occurrence | null;
  readonly rule: { readonly id: number; readonly name: string };
  readonly now: number;
};
export type Step = {
  readonly command: OrderCommand;
  readonly describe: { readonly message: string; readonly changes: FieldChange[] };
};

export type Action<S = Settings> = Described<S> & {
  readonly kind: 'primary' | 'secondary';
  readonly isDefault: boolean;
  /** Whether its command changes the order (decisions.md section 6, "Order lookup"). */
  readonly changesOrder: boolean;
  compile(settings: S): (situation: Situation) => Step;
};

export type Component = Trigger | Condition | Action;
export type ComponentKind = Component['kind'];
