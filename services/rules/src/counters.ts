import type { Documents, Store } from '@order-automation/store';
import { isDuplicateKey, takeNumbers } from '@order-automation/store';

/** A rule as caches see it while an import changes it. */
export type FrozenRule = { readonly id: number; readonly version: number; readonly enabled: boolean };

/** `revision` grows with every change that caches hear of. */
export type CounterDocument = {
  _id: 'rule_id' | 'revision';
  value: number;
  /** Of the revision: odd while rules are frozen. */
  stage?: number;
  /** What caches see of these rules, instead of what is stored. */
  frozen?: FrozenRule[];
};

/** What caches may know of the set of rules. */
export type RuleSetState = {
  readonly revision: number;
  readonly stage: number;
  /** How often a whole set of rules was switched: reads of one generation fit together. */
  readonly generation: number;
  readonly frozen: ReadonlyMap<number, FrozenRule>;
};

export type Counters = Awaited<ReturnType<typeof openCounters>>;

/** Makes the counters where they are missing, so that no two writers ever upsert one in a race. */
export async function openCounters(store: Store) {
  const documents: Documents<CounterDocument> = await store.collection<CounterDocument>('counters');
  for (const _id of ['rule_id', 'revision'] as const) {
    await documents.insertOne({ _id, value: 0 }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
  const state = async (): Promise<RuleSetState> => {
    const { value = 0, stage = 0, frozen = [] } = (await documents.findOne({ _id: 'revision' })) ?? {};
    return { revision: value, stage, generation: stage >> 1, frozen: new Map(frozen.map((rule) => [rule.id, rule])) };
  };
  /** Writes what `next` makes of the revision, by compare and set. */
  const replace = async (next: (before: RuleSetState) => Partial<CounterDocument>): Promise<number> => {
    for (;;) {
      const before = await state();
      const set = next(before);
      const filter = { _id: 'revision', value: before.revision } as const;
      if ((await documents.updateOne(filter, { $set: set })).matchedCount === 1) return set.value ?? before.revision;
    }
  };
  return {
    /** The id of a new rule, never given twice. */
    ruleId: (): Promise<number> => takeNumbers(documents, 'rule_id'),
    state,
    /** From now on caches see these rules as they are here, whatever is stored. */
    freeze: (frozen: FrozenRule[]) => replace(({ stage }) => ({ frozen, stage: stage | 1 })),
    /** The revision of a save, from which on caches see the rule as that save made it, though it may be frozen. */
    ofSave: async (rule: FrozenRule): Promise<number> => {
      const isOlder = ({ id, version }: FrozenRule): boolean => id === rule.id && version < rule.version;
      if (![...(await state()).frozen.values()].some(isOlder)) return takeNumbers(documents, 'revision');
      return replace(({ frozen, revision }) => ({
        frozen: [...frozen.values()].map((one) => (isOlder(one) ? rule : one)),
        value: revision + 1,
      }));
    },
    /** Caches see at once what is stored. The revision leaves out a number: a cache that counts them compares all rules. */
    switchOver: () => replace(({ stage, revision }) => ({ frozen: [], stage: (stage | 1) + 1, value: revision + 2 })),
    /** Caches see what is stored, which is what they saw. */
    thaw: () => replace(({ stage, revision }) => ({ frozen: [], stage: stage & ~1, value: revision + 1 })),
  };
}

/** Reads again when caches were shown something else meanwhile: what is answered is of one stage. */
export async function ofOneStage<T>(
  counters: Pick<Counters, 'state'>,
  read: (state: RuleSetState) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = await counters.state();
    const answer = await read(before);
    if (tries === 5 || (await counters.state()).stage === before.stage) return answer;
  }
}
