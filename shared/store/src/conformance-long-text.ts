/// <reference types="jest" />
import type { Subject } from './conformance';
import type { Documents } from './port';

type Letter = { readonly _id: string; n?: number; text?: string };

const texts: readonly [name: string, text: string][] = [
  ['plain', 'a text'],
  ['empty', ''],
  ['quoted', '{"a":"\\"\\\\ \\u0041"}\n\t'],
  ['of many alphabets', '\ufeffé \u2028 漢字 \u{1f600}'],
  ['with a zero', 'a\0b'],
  ['long', 'x"'.repeat(100_000)],
];

/** Collections with a field of long text. */
export function longTextConformance({ current }: Subject): void {
  describe('long text', () => {
    const open = (store = current().store): Promise<Documents<Letter>> =>
      store.collection<Letter>('letters', [{ key: { n: 1 }, name: 'n' }], { longText: 'text' });

    test.each(texts)('comes back as it was, whichever way it came: %s', async (_, text) => {
      const letters = await open();
      await letters.insertOne({ _id: 'a', n: 1, text });
      await letters.insertMany([{ _id: 'b', n: 2, text }, { _id: 'c' }]);
      await letters.bulkWrite([{ insertOne: { document: { _id: 'd', n: 3, text } } }]);
      const all = [{ _id: 'a', n: 1, text }, { _id: 'b', n: 2, text }, { _id: 'c' }, { _id: 'd', n: 3, text }];
      expect(await letters.find({}).sort({ _id: 1 }).toArray()).toEqual(all);
      expect(await letters.findOne({ n: 2 })).toEqual(all[1]);
      const again = await open(await current().reopen());
      expect(await again.find({}).sort({ _id: 1 }).toArray()).toEqual(all);
    });

    test('half a character becomes the one for what is unknown', async () => {
      const letters = await open();
      await letters.insertOne({ _id: 'a', text: 'a\ud83db' });
      expect(await letters.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'a\ufffdb' });
    });

    test('projections show it or not', async () => {
      const letters = await open();
      await letters.insertOne({ _id: 'a', n: 1, text: 'long' });
      const shown = (projection: { text?: 0 | 1; n?: 0 | 1; _id?: 0 | 1 }) => letters.findOne({}, { projection });
      expect(await shown({ n: 1 })).toEqual({ _id: 'a', n: 1 });
      expect(await shown({ text: 1 })).toEqual({ _id: 'a', text: 'long' });
      expect(await shown({ text: 1, _id: 0 })).toEqual({ text: 'long' });
      expect(await shown({ text: 0 })).toEqual({ _id: 'a', n: 1 });
      expect(await shown({ n: 0 })).toEqual({ _id: 'a', text: 'long' });
      expect(await shown({ _id: 0 })).toEqual({ n: 1, text: 'long' });
    });

    test('changes of other fields leave it alone, and it goes with its document', async () => {
      const letters = await open();
      await letters.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, n: 1, text: `of ${_id}` })));
      await letters.updateOne({ _id: 'a' }, { $set: { n: 2 } });
      await letters.updateMany({ n: 1 }, { $inc: { n: 4 } });
      await letters.bulkWrite([{ updateOne: { filter: { _id: 'c' }, update: { $unset: { n: '' } } } }]);
      expect(await letters.find({}).sort({ _id: 1 }).toArray()).toEqual([
        { _id: 'a', n: 2, text: 'of a' },
        { _id: 'b', n: 5, text: 'of b' },
        { _id: 'c', text: 'of c' },
      ]);
      await letters.deleteMany({ _id: { $in: ['a', 'b'] } });
      expect(await letters.find({}).toArray()).toEqual([{ _id: 'c', text: 'of c' }]);
    });
  });
}
