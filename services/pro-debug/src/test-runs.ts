import type { BacktestResult, RuleData, TestResult } from '@order-automation/contracts';
import type { Documents, Filter, IndexDescription, Store } from '@order-automation/store';
import { ruleDigest } from './rule-digest';

/** That a rule was tested, on which order or on past events, and how it came out. Nothing of the customer. */
export type TestRunDocument = {
  _id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Null of a back-test. */
  order_id: number | null;
  rule: RuleData;
  /** Names the components and settings. */
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

export function oldRunsFilter(before: number): Filter<TestRunDocument> {
  return { at: { $lt: before } };
}

export function runsOfFilter(digest: string): Filter<TestRunDocument> {
  return { digest };
}

export type TestRuns = ReturnType<typeof testRunQueries>;

export function testRunQueries(documents: Documents<TestRunDocument>) {
  return {
    documents,
    record: (run: TestRunDocument) => documents.insertOne(run),
    isTested: async (digest: string) => (await documents.findOne(runsOfFilter(digest))) !== null,
    purge: (before: number) => documents.deleteMany(oldRunsFilter(before)),
  };
}

export async function openTestRuns(store: Store): Promise<TestRuns> {
  return testRunQueries(await store.collection<TestRunDocument>('test_runs', testRunIndexes));
}

export function testRun(id: string, at: number, rule: RuleData, result: TestResult): TestRunDocument {
  return {
    _id: id,
    at,
    order_id: result.order_details.id,
    rule,
    digest: ruleDigest(rule),
    matched: result.matched,
    would_fire: result.trigger.would_fire,
    suggestions: result.suggestions,
    would_run: result.would_run.map((action) => action.id),
  };
}

/** A back-test that came to its end. */
export function backtestRun(id: string, at: number, rule: RuleData, { matching }: BacktestResult): TestRunDocument {
  return {
    _id: id,
    at,
    order_id: null,
    rule,
    digest: ruleDigest(rule),
    matched: matching.events > 0,
    would_fire: matching.events > 0,
    suggestions: [],
    would_run: matching.actions.map((action) => action.id),
  };
}
