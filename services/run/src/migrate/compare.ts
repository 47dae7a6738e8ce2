import { createHash } from 'node:crypto';
import type { Progress } from './progress';
import type { SourceCollection, StoredDocument } from './source';
import type { TargetCollection } from './target';

/** A collection of which both sides have the same documents; `sha256` is of their JSON, in the order of their ids. */
export type Compared = {
  readonly service: string;
  readonly collection: string;
  readonly documents: number;
  readonly sha256: string;
};

/** Compares every document of both sides: count, ids and contents. Rejects with the first that differs. */
export async function compareCollection(
  source: SourceCollection,
  target: TargetCollection,
  progress: Progress,
): Promise<Compared> {
  const { service, name } = source;
  const differs = (what: string): Error =>
    new Error(
      `${service}.${name}: ${what}. Stop whatever writes to the databases, drop those of this namespace, and begin again.`,
    );
  const digest = createHash('sha256');
  const counted = await target.count();
  if (counted !== source.count) throw differs(`the folder has ${source.count} documents, MongoDB ${counted}`);
  progress.part(`comparing ${service}.${name}`, source.count);
  const others = target.walk()[Symbol.asyncIterator]();
  let last: string | number | undefined;
  for (let page = source.page(last); page.length > 0; page = source.page(last)) {
    for (const document of page) {
      const { value: other, done } = await others.next();
      if (done) throw differs(`_id ${document._id} is missing in MongoDB`);
      const text = textOf(document);
      if (text !== textOf(other))
        throw differs(`_id ${document._id} differs from what MongoDB has in its place (_id ${other._id})`);
      digest.update(text);
    }
    progress.advance(page.length);
    last = page.at(-1)?._id;
  }
  if (!(await others.next()).done) throw differs('MongoDB has documents that the folder does not have');
  return { service, collection: name, documents: source.count, sha256: digest.digest('hex') };
}

/** MongoDB puts `_id` first, whatever its place was. */
const textOf = ({ _id, ...fields }: StoredDocument): string => JSON.stringify({ _id, ...fields });
