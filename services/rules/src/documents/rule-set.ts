import { type Documents, insertNew, type Store } from '@order-automation/store';

/** A rule of the set. What the version is made of stands in its own document. */
export type Member = {
  readonly id: number;
  readonly version: number;
  readonly position: number;
  readonly enabled: boolean;
  /** Absent of rules that are not in shadow. */
  readonly shadow?: boolean;
  /** Stable name in files, unique in the set. */
  readonly key: string;
};

/**
 * Which rules there are, each in which version: one document, replaced by compare-and-set on its revision. A reader sees all of a change or nothing of it,
 * however many rules the change is about.
 */
export type RuleSet = {
  /** Grows with every change: by one, or by two where several rules changed, so that a cache that counts changes compares all rules. */
  readonly revision: number;
  /** How often several rules changed together: reads of one generation fit together. */
  readonly generation: number;
  /** The revision up to which everything that follows from changes was done. */
  readonly settled: number;
  /** Milliseconds since the epoch of the last change. */
  readonly changed_at: number;
  /** By id. */
  readonly rules: readonly Member[];
};

type RuleSetDocument = RuleSet & { readonly _id: 'rules' };

/** `first` makes the set where there is none; two instances that start together make the same, and one of them stores it. */
export async function openRuleSet(store: Store, first: () => Promise<RuleSet>) {
  const documents: Documents<RuleSetDocument> = await store.collection<RuleSetDocument>('rule_set');
  const _id = 'rules' as const;
  if ((await documents.countDocuments({ _id })) === 0) await insertNew(documents, [{ _id, ...(await first()) }]);
  const found = (set: RuleSet | null): RuleSet => {
    if (!set) throw new Error('The document of the rule set is missing.');
    return set;
  };
  return {
    read: async (): Promise<RuleSet> => found(await documents.findOne({ _id })),
    head: async (): Promise<Omit<RuleSet, 'rules'>> =>
      found(await documents.findOne({ _id }, { projection: { rules: 0 } })),
    /** False when another change came first. */
    replace: async (before: RuleSet, after: RuleSet): Promise<boolean> => {
      const { revision, generation, changed_at, rules } = after;
      const set = { revision, generation, changed_at, rules };
      return (await documents.updateOne({ _id, revision: before.revision }, { $set: set })).matchedCount === 1;
    },
    /** Everything up to `to` was done, if everything up to `from` was. */
    settle: (from: number, to: number) => documents.updateOne({ _id, settled: from }, { $set: { settled: to } }),
  };
}

/** In order of running. */
export const inOrder = ({ rules }: RuleSet): Member[] =>
  [...rules].sort((a, b) => a.position - b.position || a.id - b.id);

/** Largest position of the contract. */
const lastPlace = 1_000_000;

/** The position behind these rules, and not before `least`. */
export const nextPosition = (rules: readonly Pick<Member, 'position'>[], least = 0): number =>
  Math.min(
    rules.reduce((next, { position }) => Math.max(next, position + 1), least),
    lastPlace,
  );
