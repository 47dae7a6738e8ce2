import { type BacktestResult, derivedId, type RuleData, type TestResult } from '@order-automation/contracts';
import type { Documents, IndexDescription, Store } from '@order-automation/store';

/** That a rule was tested, on which order or on past events, and how it came out. Nothing of the customer. */
export type TestRunDocument = {
  _id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Null of a back-test. */
  order_id: number | null;
  rule: RuleData;
  digest: string;
  matched: boolean;
  would_fire: boolean;
  suggestions: string[];
  would_run: string[];
};

export const testRunIndexes: IndexDescription[] = [
  { key: { at: 1 }, name: 'at' },
  { key: { digest: 1 }, name: 'digest', sparse: true },
];

export type TestRuns = Awaited<ReturnType<typeof openTestRuns>>;

export async function openTestRuns(store: Store) {
  const documents: Documents<TestRunDocument> = await store.collection<TestRunDocument>('test_runs', testRunIndexes);
  return {
    documents,
    record: (run: TestRunDocument) => documents.insertOne(run),
    isTested: async (digest: string) => (await documents.findOne({ digest })) !== null,
    purge: (before: number) => documents.deleteMany({ at: { $lt: before } }),
  };
}

const runOf = (
  run: Pick<TestRunDocument, '_id' | 'at' | 'rule' | 'order_id' | 'matched' | 'would_fire' | 'suggestions'>,
  actions: readonly { readonly id: string }[],
): TestRunDocument => ({ ...run, digest: ruleDigest(run.rule), would_run: actions.map(({ id }) => id) });

export function testRun(_id: string, at: number, rule: RuleData, result: TestResult): TestRunDocument {
  const { order_details, matched, trigger, suggestions, would_run } = result;
  const run = { _id, at, rule, order_id: order_details.id, matched, would_fire: trigger.would_fire, suggestions };
  return runOf(run, would_run);
}

export function backtestRun(_id: string, at: number, rule: RuleData, { matching }: BacktestResult): TestRunDocument {
  const matched = matching.events > 0;
  return runOf({ _id, at, rule, order_id: null, matched, would_fire: matched, suggestions: [] }, matching.actions);
}

/** Names the components and settings of a rule: the same whatever the order of its keys. */
export const ruleDigest = ({ trigger, conditions, primaryAction, secondaryActions }: RuleData): string =>
  derivedId('rule', JSON.stringify([trigger, conditions, primaryAction, secondaryActions].map(sorted)));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
