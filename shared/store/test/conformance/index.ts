import { contentionConformance } from './contention';
import { indexConformance } from './indexes';
import { queryConformance } from './queries';
import type { Item, StoreFactory, StoreUnderTest, Subject } from './subject';
import { wordConformance } from './words';
import { writeConformance } from './writes';

/** The definition of equal: what every adapter does alike, as MongoDB's documentation has it. Adapters run it with jest. */
export function storeConformance(name: string, factory: StoreFactory): void {
  describe(`${name} keeps the promises of the store`, () => {
    let tested: StoreUnderTest | undefined;
    const current = (): StoreUnderTest => {
      if (tested === undefined) throw new Error('no store');
      return tested;
    };
    const subject: Subject = { current, items: (indexes = []) => current().store.collection<Item>('items', indexes) };
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
