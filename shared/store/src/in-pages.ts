import type { Document, Documents, Filter, Update } from './port';

/** As many as are written in less than the time that one call has, on a database that is busy. */
const pageSize = 500;

/**
 * An `updateMany` in calls of a bounded size, however many documents pass the filter. What is updated must not pass it any longer. Resolves with how many
 * were updated; what was done before a failure stays done.
 */
export function updateInPages<T extends Document>(
  documents: Documents<T>,
  filter: Filter<T>,
  update: Update<T>,
): Promise<number> {
  return inPages(documents, filter, async (page) => (await documents.updateMany(page, update)).matchedCount);
}

/** The same for `deleteMany`. */
export const deleteInPages = <T extends Document>(documents: Documents<T>, filter: Filter<T>): Promise<number> =>
  inPages(documents, filter, async (page) => (await documents.deleteMany(page)).deletedCount);

/** A document that another instance changes between the two calls is looked at again: a page is the filter still. */
async function inPages<T extends Document>(
  documents: Documents<T>,
  filter: Filter<T>,
  write: (page: Filter<T>) => Promise<number>,
): Promise<number> {
  for (let count = 0; ; ) {
    const found = await documents.find(filter, { projection: { _id: 1 }, limit: pageSize } as object).toArray();
    if (found.length === 0) return count;
    count += await write({ ...filter, _id: { $in: found.map(({ _id }) => _id) } } as Filter<T>);
    if (found.length < pageSize) return count;
  }
}
