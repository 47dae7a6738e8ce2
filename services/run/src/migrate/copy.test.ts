import { compareCollection } from './compare';
import { copyCollection } from './copy';
import { progressLines } from './progress';
import type { SourceCollection, StoredDocument } from './source';
import type { TargetCollection } from './target';

const documents = Array.from(
  { length: 7 },
  (_, index): StoredDocument => ({ _id: index + 1, text: `of ${index + 1}` }),
);
const progress = () =>
  progressLines(
    documents.length,
    () => 0,
    () => undefined,
  );

/** Pages of three. */
const source: SourceCollection = {
  service: 'shop',
  name: 'orders',
  count: documents.length,
  page: (after) => documents.filter(({ _id }) => after === undefined || _id > after).slice(0, 3),
};

/** What MongoDB has; `onInsert` is called before each page. */
function target(stored: StoredDocument[], onInsert = (): void => undefined): TargetCollection {
  return {
    lastId: async () => stored.at(-1)?._id,
    count: async () => stored.length,
    insert: async (page) => {
      onInsert();
      for (const document of page) {
        if (stored.some(({ _id }) => _id === document._id)) return false;
        stored.push(document);
      }
      return true;
    },
    walk: async function* () {
      yield* stored;
    },
  };
}

test.each([0, 1, 4, 7])('goes on behind the %i documents that an interrupted run has copied', async (copied) => {
  const stored = documents.slice(0, copied);
  await copyCollection(source, target(stored), progress());
  expect(stored).toEqual(documents);
});

test('what an interrupted run had sent last may arrive while the next one works', async () => {
  const stored = documents.slice(0, 2);
  let late = documents.slice(2, 4);
  const arrive = (): void => {
    stored.push(...late);
    late = [];
  };
  await copyCollection(source, target(stored, arrive), progress());
  expect(stored).toEqual(documents);
});

test('a document that MongoDB refuses is named', async () => {
  const refusing = { ...target([]), insert: () => Promise.reject(new Error('object to insert too large')) };
  await expect(copyCollection(source, refusing, progress())).rejects.toThrow('shop.orders, _id 1 to 3');
});

test('equal collections have a digest, which does not depend on the place of _id', async () => {
  const moved = documents.map(({ _id, text }) => ({ text, _id }));
  const [one, other] = [documents, moved].map((stored) => compareCollection(source, target(stored), progress()));
  expect(await one).toMatchObject({ service: 'shop', collection: 'orders', documents: 7 });
  expect(await other).toEqual(await one);
});

test.each([
  ['one less', documents.slice(0, 6), 'the folder has 7 documents, MongoDB 6'],
  ['one changed', documents.with(4, { _id: 5, text: 'another' }), '_id 5 differs'],
  ['another id', documents.with(6, { _id: 8, text: 'of 7' }), '_id 7 differs'],
])('%s is found', async (_what, stored, problem) => {
  await expect(compareCollection(source, target(stored), progress())).rejects.toThrow(problem);
});

test('progress names the part, how much of it is done, how fast, and how long it still takes', () => {
  const lines: string[] = [];
  let now = 0;
  const { part, advance, end } = progressLines(
    1_000,
    () => now,
    (line) => lines.push(line),
  );
  part('audit.records', 1_000, 200);
  advance(100);
  now = 2_000;
  advance(100);
  advance(100);
  now = 4_000;
  advance(500);
  end();
  expect(lines).toEqual([
    'audit.records: 400 of 1000; 40 % of everything, 100 a second, about 6 s left\n',
    'audit.records: 1000 of 1000; 100 % of everything, 200 a second, about 0 s left\n',
    'audit.records: 1000 of 1000; 100 % of everything, 200 a second, about 0 s left\n',
  ]);
});
