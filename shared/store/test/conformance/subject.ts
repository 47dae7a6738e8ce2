import type { Documents, Index } from '../../src/port';
import type { ExplainableStore } from '../explain';

/** An empty database made for one test. */
export type StoreUnderTest = {
  readonly store: ExplainableStore;
  /** Several processes may have the database open, of different versions. */
  readonly shared: boolean;
  /** Closes the store and opens the same database again. */
  readonly reopen: () => Promise<ExplainableStore>;
  dispose(): Promise<void>;
};

export type StoreFactory = () => Promise<StoreUnderTest>;

export type Item = {
  readonly _id: string;
  n?: number | null;
  text?: string | null;
  flag?: boolean;
  tags?: string[];
  nested?: { a?: number | null; b?: string; list?: number[] } | null;
  parts?: { id: string; size?: number }[];
};

export type Numbered = { readonly _id: number; value: string };

/** What the suites ask for: the store of the test that runs, and a collection in it. */
export type Subject = { current(): StoreUnderTest; items(indexes?: readonly Index[]): Promise<Documents<Item>> };

/** The value an expression rejects with; fails when it does not. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    () => ({ rejected: false, error: undefined }),
    (error: unknown) => ({ rejected: true, error }),
  );
  expect(outcome.rejected).toBe(true);
  return outcome.error;
}
