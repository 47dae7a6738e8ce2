import { isDuplicateKey } from '../../src/errors';
import type { Subject } from './subject';

/** Many callers at once. */
export function contentionConformance(subject: Subject): void {
  describe('contention', () => {
    raceTests(subject);
  });
}

function raceTests({ items }: Subject): void {
  test('concurrent $inc loses none', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 0 });
    await Promise.all(Array.from({ length: 40 }, () => documents.updateOne({ _id: 'a' }, { $inc: { n: 1 } })));
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 40 });
  });

  test('one of many inserts of an _id wins', async () => {
    const documents = await items();
    const inserts = Array.from({ length: 20 }, (_, n) => documents.insertOne({ _id: 'a', n }));
    const outcomes = await Promise.allSettled(inserts);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(errors.every(isDuplicateKey)).toBe(true);
  });

  test('one of many that compare and set wins', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1 });
    const takeovers = Array.from({ length: 20 }, (_, index) =>
      documents.updateOne({ _id: 'a', n: 1 }, { $set: { text: `taken by ${index}` }, $inc: { n: 1 } }),
    );
    const results = await Promise.all(takeovers);
    expect(results.filter((result) => result.matchedCount === 1)).toHaveLength(1);
    expect(await documents.findOne({ _id: 'a' })).toMatchObject({ n: 2 });
  });
}
