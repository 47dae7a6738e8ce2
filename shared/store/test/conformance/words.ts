import type { Documents, Filter } from '../../src/port';
import { wordsOf } from '../../src/words';
import { expectUsesIndex } from '../explain';
import { rejection, type Subject } from './subject';

type Note = { readonly _id: number; words?: string[]; text?: string; n?: number };

const indexes = [
  { words: 'words', name: 'words' },
  { key: { n: 1 }, name: 'n' },
] as const;

const note = (_id: number, text: string, n = 0): Note => ({ _id, text, words: wordsOf(text), n });

/** Searches by words, which a word index serves. */
export function wordConformance({ current }: Subject): void {
  describe('words', () => {
    const open = (store = current().store): Promise<Documents<Note>> => store.collection<Note>('notes', indexes);
    const found = async (notes: Documents<Note>, text: string, more: Filter<Note> = {}): Promise<number[]> => {
      const filter = { ...more, words: { $all: wordsOf(text) } };
      const ids = (await notes.find(filter).sort({ _id: -1 }).toArray()).map(({ _id }) => _id);
      expect(await notes.countDocuments(filter)).toBe(ids.length);
      return ids;
    };

    test('finds the documents that have every word, newest first', async () => {
      const notes = await open();
      await notes.insertMany([
        note(1, 'Order 1010 was paid by Müller'),
        note(2, 'Order 1011 was cancelled', 5),
        note(3, 'paid, paid: order 1010', 5),
        { _id: 4 },
        { _id: 5, words: [] },
      ]);
      expect(await found(notes, 'order')).toEqual([3, 2, 1]);
      expect(await found(notes, '1010 PAID')).toEqual([3, 1]);
      expect(await found(notes, 'muller')).toEqual([1]);
      expect(await found(notes, 'ord')).toEqual([]);
      expect(await found(notes, 'order absent')).toEqual([]);
      expect(await found(notes, 'order', { n: 5 })).toEqual([3, 2]);
      expect(await found(notes, 'order', { _id: { $lt: 3 } })).toEqual([2, 1]);
      const second = { words: { $all: ['order'] } };
      expect(await notes.find(second).sort({ _id: -1 }).skip(1).limit(1).toArray()).toMatchObject([{ _id: 2 }]);
      await expectUsesIndex(current().store, notes, { words: { $all: ['order', 'paid'] } }, { _id: -1 });
    });

    test('finds the documents that have one of several words, or one that begins so', async () => {
      const notes = await open();
      const words = ['word:anna', 'word:ann b', 'word:Zoë', 'plain', 'plain text', 'number:12', 'number:123', '100%'];
      await notes.insertMany([...words.map((word, at) => ({ _id: at + 1, words: [word, 'all'] })), { _id: 9 }]);
      const having = async (condition: NonNullable<Filter<Note>['words']>): Promise<number[]> =>
        (await notes.find({ words: condition }).toArray()).map(({ _id }) => _id).sort();
      const beginning = (text: string) => having({ $elemMatch: { $gte: text, $lt: `${text}\uffff` } });
      expect(await having({ $in: ['word:anna', 'number:12', 'absent'] })).toEqual([1, 6]);
      expect(await having({ $in: ['all', 'plain'] })).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await having({ $in: ['word:ann'] })).toEqual([]);
      expect([await beginning('word:ann'), await beginning('word:Zo'), await beginning('word:Zoë')]).toEqual([
        [1, 2],
        [3],
        [3],
      ]);
      expect([await beginning('number:12'), await beginning('plain'), await beginning('1')]).toEqual([
        [6, 7],
        [4, 5],
        [8],
      ]);
      expect([await beginning('word:z'), await beginning('ord:')]).toEqual([[], []]);
      expect(await notes.countDocuments({ words: { $in: ['plain', 'plain text'] }, _id: { $ne: 4 } })).toBe(1);
      for (const condition of [{ $in: ['all', 'plain'] }, { $elemMatch: { $gte: 'word:', $lt: 'word:\uffff' } }])
        await expectUsesIndex(current().store, notes, { words: condition });
    });

    test('follows every change of the documents', async () => {
      const notes = await open();
      await notes.insertMany([1, 2, 3].map((id) => note(id, 'old text')));
      await notes.updateOne({ _id: 1 }, { $set: { words: ['new', 'text', 'Zoë:1', ''] } });
      await notes.updateOne({ _id: 2 }, { $unset: { words: '' }, $set: { n: 1 } });
      expect([await found(notes, 'old'), await found(notes, 'text')]).toEqual([[3], [3, 1]]);
      expect(await notes.countDocuments({ words: { $all: ['Zoë:1', ''] } })).toBe(1);
      const replacement = { words: ['exchanged'] };
      await notes.bulkWrite([{ replaceOne: { filter: { _id: 3 }, replacement } }]);
      expect([await found(notes, 'exchanged'), await found(notes, 'old')]).toEqual([[3], []]);
      await notes.bulkWrite([{ replaceOne: { filter: { _id: 3 }, replacement: note(3, 'old text') } }]);
      await notes.updateMany({ words: { $all: ['text'] } }, { $set: { n: 7 } });
      expect(await notes.countDocuments({ n: 7 })).toBe(2);
      await notes.deleteMany({ words: { $all: ['old'] } });
      expect(await found(notes, 'text')).toEqual([1]);
      await rejection(notes.insertMany([note(4, 'text'), note(1, 'other')]));
      expect([await found(notes, 'text'), await found(notes, 'other')]).toEqual([[4, 1], []]);
    });

    test('an index made later has the words of what is there, and is there when the database is opened again', async () => {
      const before = await current().store.collection<Note>('notes');
      await before.insertMany([note(1, 'red mug'), note(2, 'red cup')]);
      await before.deleteMany({ _id: 2 });
      await open();
      await before.insertOne(note(3, 'blue mug'));
      const notes = await open(await current().reopen());
      expect([await found(notes, 'mug'), await found(notes, 'cup')]).toEqual([[3, 1], []]);
    });
  });
}
