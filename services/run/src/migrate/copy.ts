import type { Progress } from './progress';
import type { SourceCollection } from './source';
import type { TargetCollection } from './target';

/**
 * Copies the documents that the target does not have yet, in the order of their ids, so that an interruption leaves the first of them and nothing
 * else, and a second run goes on behind the last one. Rejects when the target does not take one.
 */
export async function copyCollection(source: SourceCollection, target: TargetCollection, progress: Progress) {
  let last = await target.lastId();
  progress.part(`${source.service}.${source.name}`, source.count, last === undefined ? 0 : await target.count());
  for (let page = source.page(last); page.length > 0; page = source.page(last)) {
    const isInserted = await target.insert(page).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const place = `${source.service}.${source.name}, _id ${page[0]?._id} to ${page.at(-1)?._id}`;
      throw new Error(`${place}: MongoDB does not take these documents (${reason}). Run the command again to go on.`, {
        cause,
      });
    });
    // What an interrupted run had sent last may have arrived only now.
    const next = isInserted ? page.at(-1)?._id : await target.lastId();
    if (next === last) throw new Error(`${source.service}.${source.name} cannot be written behind _id ${last}.`);
    if (isInserted) progress.advance(page.length);
    last = next;
  }
}
