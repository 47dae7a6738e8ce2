import { contentionConformance } from './conformance/contention';
import { uniqueTests } from './conformance/indexes';
import { queryConformance } from './conformance/queries';
import type { Item, Subject } from './conformance/subject';
import { writeConformance } from './conformance/writes';
import type { ExplainableStore } from './explain';
import { memoryStore } from './memory-store';

describe('the store of simulations does what the others do, but for plans', () => {
  let store = memoryStore() as ExplainableStore;
  beforeEach(() => {
    store = memoryStore() as ExplainableStore;
  });
  const subject: Subject = {
    current: () => ({ store, shared: false, reopen: async () => store, dispose: async () => undefined }),
    items: (indexes = []) => store.collection<Item>('items', indexes),
  };
  writeConformance(subject);
  contentionConformance(subject);
  queryConformance(subject);
  uniqueTests(subject);
});
