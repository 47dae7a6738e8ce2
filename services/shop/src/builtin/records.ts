import { type Filter, type Index, insertNew, type Store } from '@order-automation/store';
import { shownNames, storedNames } from './field-names';
import { type AnyRecord, type RecordOf, titleOf } from './record-types';
import { type Searchable, searchable, startingWith, wordIndex } from './search-index';

/** Records with numbers for ids: terms, posts and customers, as many as a shop has. Products have a collection of their own. */
export const numberedTypes = ['category', 'tag', 'post', 'customer'] as const;
export type NumberedType = (typeof numberedTypes)[number];

/** `_id` is made of number and type, because a word index wants integers. */
export type RecordDocument = Searchable & {
  readonly _id: number;
  readonly type: NumberedType;
  readonly record: AnyRecord;
};

const recordIndexes: readonly Index[] = [
  { name: 'type_name', key: { type: 1, name: 1 } },
  { name: 'type_slug', key: { type: 1, slug: 1 } },
  wordIndex,
];

const roomForTypes = 8;
const documentId = (type: NumberedType, id: number): number => id * roomForTypes + numberedTypes.indexOf(type);
const typeMark = (type: NumberedType): string => `type:${type}`;

const idsOf = (type: NumberedType, ids: readonly number[]): Filter<RecordDocument> => ({
  _id: { $in: ids.map((id) => documentId(type, id)) },
});
/** All of the type where there are no words. */
const withWords = (type: NumberedType, words: readonly string[]): Filter<RecordDocument> => ({
  words: { $all: [typeMark(type), ...words] },
});

export type Records = Awaited<ReturnType<typeof openRecords>>;

export async function openRecords(store: Store) {
  const documents = await store.collection<RecordDocument>('records', recordIndexes);
  const recordsOf = <T extends NumberedType>(found: readonly RecordDocument[]) =>
    found.map(({ record }) => shownNames(record) as RecordOf<T>);
  return {
    documents,
    byIds: async <T extends NumberedType>(type: T, ids: readonly number[]) =>
      recordsOf<T>(ids.length === 0 ? [] : await documents.find(idsOf(type, ids)).toArray()),
    /** By name or slug, each at most `limit`. */
    beginning: async <T extends NumberedType>(type: T, text: string, limit: number) => {
      const byName = documents.find({ type, name: startingWith(text) }, { sort: { name: 1 }, limit }).toArray();
      const bySlug = documents.find({ type, slug: startingWith(text) }, { sort: { slug: 1 }, limit }).toArray();
      return recordsOf<T>([...(await byName), ...(await bySlug)]);
    },
    /** By number. */
    withWords: async <T extends NumberedType>(type: T, words: readonly string[], skip: number, limit: number) =>
      recordsOf<T>(await documents.find(withWords(type, words), { sort: { _id: 1 }, skip, limit }).toArray()),
    count: (type: NumberedType, words: readonly string[]) => documents.countDocuments(withWords(type, words)),
    /** Those that exist are left as they are. */
    insertNew: async <T extends NumberedType>(type: T, records: readonly RecordOf<T>[]): Promise<void> => {
      const added = records.map((record) => asDocument(type, record));
      await insertNew(documents, added);
    },
    /** Creates or replaces. */
    put: async <T extends NumberedType>(type: T, records: readonly RecordOf<T>[]): Promise<void> => {
      const added = records.map((record) => asDocument(type, record));
      const known = (await insertNew(documents, added)).flatMap((index) => added[index] ?? []);
      if (known.length === 0) return;
      await documents.bulkWrite(
        known.map(({ _id, ...fields }) => ({ updateOne: { filter: { _id }, update: { $set: fields } } })),
        { ordered: false },
      );
    },
    remove: async (type: NumberedType, id: number): Promise<void> => {
      await documents.deleteMany(idsOf(type, [id]));
    },
  };
}

function asDocument<T extends NumberedType>(type: T, record: RecordOf<T>): RecordDocument {
  const { id, slug = '', first_name = '', last_name = '', username = '' } = record as AnyRecord & { id: number };
  const texts = { name: titleOf(record), slug: String(slug), other: `${id} ${first_name} ${last_name} ${username}` };
  return {
    _id: documentId(type, id),
    type,
    record: storedNames<AnyRecord>(record),
    ...searchable(texts, [typeMark(type)]),
  };
}
