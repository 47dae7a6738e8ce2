import type { ExplainingStore } from '../../src/explain';
import type { Documents, Index } from '../../src/port';
import { contentionConformance } from './contention';
import { indexConformance } from './indexes';
import { queryConformance } from './queries';
import { wordConformance } from './words';
import { writeConformance } from './writes';

/** An empty database made for one test. */
export type StoreUnderTest = {
  readonly store: ExplainingStore;
  /** Several processes may have the database open, of different versions. */
  readonly shared: boolean;
  /** Closes the store and opens the same database again. */
  readonly reopen: () => Promise<ExplainingStore>;
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
export type Subject = {
  current(): StoreUnderTest;
  items(indexes?: readonly Index[]): Promise<Documents<Item>>;
};

/** The definition of equal: what every adapter does alike, as MongoDB's documentation has it. Adapters run it with jest. */
export function storeConformance(name: string, factory: StoreFactory): void {
  describe(`${name} keeps the promises of the store`, () => {
    let tested: StoreUnderTest | undefined;
    const current = (): StoreUnderTest => {
      if (tested === undefined) throw new Error('no store');
      return tested;
    };
    const subject: Subject = {
      current,
      items: (indexes = []) => current().store.collection<Item>('items', indexes),
    };
    beforeEach(async () => {
      tested = await factory();
    });
    afterEach(async () => {
      await tested?.dispose();
      tested = undefined;
    });
    writeConformance(subject);
    contentionConformance(subject);
    queryConformance(subject);
    indexConformance(subject);
    wordConformance(subject);
  });
}

/** The value an expression rejects with; fails when it does not. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    () => ({ rejected: false, error: undefined }),
    (error: unknown) => ({ rejected: true, error }),
  );
  expect(outcome.rejected).toBe(true);
  return outcome.error;
}
