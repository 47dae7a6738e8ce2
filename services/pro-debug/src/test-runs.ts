import type { RuleData, TestResult } from '@order-automation/contracts';
import type { Documents, Filter, IndexDescription, Store } from '@order-automation/store';

/** That a rule was tested, on which order, and how it came out. Nothing of the customer. */
export type TestRunDocument = {
  _id: string;
  /** Milliseconds since the epoch. */
  at: number;
  order_id: number;
  rule: RuleData;
  matched: boolean;
  would_fire: boolean;
  suggestions: string[];
  would_run: string[];
};

export const testRunIndexes: IndexDescription[] = [{ key: { at: 1 }, name: 'at' }];

export function oldRunsFilter(before: number): Filter<TestRunDocument> {
  return { at: { $lt: before } };
}

export type TestRuns = ReturnType<typeof testRunQueries>;

export function testRunQueries(documents: Documents<TestRunDocument>) {
  return {
    documents,
    record: (run: TestRunDocument) => documents.insertOne(run),
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
    matched: result.matched,
    would_fire: result.trigger.would_fire,
    suggestions: result.suggestions,
    would_run: result.would_run.map((action) => action.id),
  };
}
