import { type BatcherOptions, batcher } from '@order-automation/service';
import type { Document, Documents, Filter } from '@order-automation/store';

/** What one moment asks for is one call, of a bounded size: its answer must stay small too. */
export const inBatches = <Item, Result>(run: BatcherOptions<Item, Result>['run']) =>
  batcher<Item, Result>({ run, maxItems: 64, concurrency: 8 }).add;

export const findInBatches = <T extends Document>(documents: Documents<T>) =>
  inBatches<T['_id'], T | null>(async (ids) => {
    const found = await documents.find({ _id: { $in: [...new Set(ids)] } } as object as Filter<T>).toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return ids.map((id) => byId.get(id) ?? null);
  });
