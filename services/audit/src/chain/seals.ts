import { hash } from 'node:crypto';
import { type Filter, insertNew, type Sort, type Store } from '@order-automation/store';
import type { ChainKeys } from './keys';

/** Ids in a row: the first of them and how many. */
export type Run = readonly [from: number, count: number];

/**
 * The seal of a settled range of ids. It names the ids that have an entry and covers the digest of each and the head of the seal before:
 * an edit, a cut and an insertion show. Seals are numbered from 1 without gaps.
 */
export type SealDocument = {
  readonly _id: number;
  readonly from: number;
  readonly below: number;
  readonly runs: readonly Run[];
  /** Entries in all seals up to this one. */
  readonly entries: number;
  /** Base64 of 32 bytes: anybody who has the digests can make it. */
  readonly head: string;
  readonly at: string;
  /** The keyed digest of number and head: who has the database alone cannot make it. */
  readonly mac: string;
};

/** Where the chain begins, once retention has removed what was before, and where it ends. */
type Mark = {
  readonly _id: 'first' | 'last';
  readonly seal: number;
  readonly below: number;
  readonly head: string;
  readonly mac: string;
};

export type Sealed = { readonly _id: number; readonly digest: string };

type SealBody = Omit<SealDocument, 'head' | 'mac' | 'runs'>;

/** SHA-256 over the head of the seal before, the range, and every entry by its id and digest, in base64. */
export const headOf = (before: string, { _id, from, below, entries, at }: SealBody, sealed: readonly Sealed[]) =>
  hash(
    'sha256',
    JSON.stringify(['seal', before, _id, from, below, entries, at, sealed.map(({ _id: id, digest }) => [id, digest])]),
    'base64',
  );

export const isOurSeal = ({ _id, head, mac }: SealDocument, keys: ChainKeys): boolean =>
  keys.holds(mac, ['seal', _id, head]);

export function runsOf(ids: readonly number[]): Run[] {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === id) last[1] += 1;
    else runs.push([id, 1]);
  }
  return runs;
}

export const idsOf = (runs: readonly Run[]): number[] =>
  runs.flatMap(([from, count]) => Array.from({ length: count }, (_, index) => from + index));

export type Chain = Pick<Mark, 'seal' | 'below' | 'head'>;
const beginning: Chain = { seal: 0, below: 0, head: '' };

export type Seals = Awaited<ReturnType<typeof openSeals>>;

export async function openSeals(store: Store, keys: ChainKeys) {
  const documents = await store.collection<SealDocument>('seals', [
    { name: 'range', key: { below: 1 } },
    { name: 'time', key: { at: 1 } },
  ]);
  const marks = await store.collection<Mark>('seal_marks');
  const mark = async (id: Mark['_id']): Promise<Chain & { readonly intact: boolean }> => {
    const found = await marks.findOne({ _id: id });
    if (!found) return { ...beginning, intact: true };
    const { seal, below, head, mac } = found;
    return { seal, below, head, intact: keys.holds(mac, [id, seal, below, head]) };
  };
  const setMark = async (id: Mark['_id'], { seal, below, head }: Chain): Promise<void> => {
    const fields = { seal, below, head, mac: keys.mac([id, seal, below, head]) };
    const known = await insertNew(marks, [{ _id: id, ...fields }]);
    // Another instance may have sealed further by now.
    if (known.length > 0) await marks.updateOne({ _id: id, seal: { $lt: seal } }, { $set: fields });
  };
  const some = (wanted: Filter<SealDocument>, sort: Sort<SealDocument>, limit: number): Promise<SealDocument[]> =>
    documents.find(wanted).sort(sort).limit(limit).toArray();
  const from = (id: number, limit: number) => some({ below: { $gt: id } }, { below: 1 }, limit);
  const latest = (limit: number) => some({}, { _id: -1 }, limit);
  return {
    documents,
    first: () => mark('first'),
    last: () => mark('last'),
    setFirst: (chain: Chain) => setMark('first', chain),
    latest,
    /** The seals that end above an id, the first of them first. */
    from,
    /** Of these ids those within a range that was sealed without them. */
    leftOut: async (ids: readonly number[]): Promise<number[]> => {
      const seals = await Promise.all(ids.map((id) => from(id, 1)));
      return ids.filter((id, index) => {
        const [seal] = seals[index] ?? [];
        return seal !== undefined && seal.from <= id && !idsOf(seal.runs).includes(id);
      });
    },
    byNumber: (seal: number) => documents.findOne({ _id: seal }),
    /** Adds the next seal; false when another instance has added it. */
    add: async (seal: Omit<SealDocument, 'mac'>): Promise<boolean> => {
      const known = await insertNew(documents, [{ ...seal, mac: keys.mac(['seal', seal._id, seal.head]) }]);
      if (known.length > 0) return false;
      await setMark('last', { seal: seal._id, below: seal.below, head: seal.head });
      return true;
    },
    /** The last seal that was made by then; the newest seal of all is never meant. */
    madeBy: async (at: string): Promise<SealDocument | undefined> => {
      const [newest] = await latest(1);
      const [found] = await some({ at: { $lte: at } }, { at: -1 }, 1);
      if (!found || !newest || found._id < newest._id) return found;
      return (await documents.findOne({ _id: newest._id - 1 })) ?? undefined;
    },
    /** The first seal that was made at a time or later: whatever was recorded before is in it or in one before. */
    madeFrom: async (at: string) => (await some({ at: { $gte: at } }, { at: 1 }, 1))[0],
    /** Removes the seals up to this one, after `setFirst`. */
    removeUpTo: (seal: number) => documents.deleteMany({ _id: { $lte: seal } }),
  };
}
