import { keepNewest } from '@order-automation/service';
import type { OrderDocument } from './order-document';

/** Orders kept. */
const maxRecent = 500;

export type RecentOrders = ReturnType<typeof recentOrders>;

/**
 * The orders that were read or written last, as a first guess for a guarded write: an event finds its order and changes it a moment later. A guess that
 * is outdated costs a read, as no guess does.
 */
export function recentOrders() {
  const kept = new Map<number, OrderDocument>();
  return {
    keep: (documents: readonly OrderDocument[]): void => {
      for (const document of documents) {
        kept.delete(document._id);
        kept.set(document._id, document);
      }
      keepNewest(kept, maxRecent);
    },
    /** Those that are known; each is given out once until it is kept again. */
    take: (ids: readonly number[]): OrderDocument[] =>
      ids.flatMap((id) => {
        const document = kept.get(id) ?? [];
        kept.delete(id);
        return document;
      }),
  };
}
