import { newId } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';
import { turns } from '../builtin/stock';
import { ShopUnavailable } from './failures';

type LeaseDocument = { readonly _id: number; readonly owner: string; readonly until: number };

export interface OrderLeases {
  /**
   * Does the work while no other instance changes the order: WooCommerce cannot compare and set. The work renews the lease before each write.
   * When a write may still be happening, the lease stays until it ends by itself. Work of one process waits for its turn; it rejects with
   * ShopUnavailable while another process has the lease.
   */
  holding<T>(orderId: number, work: (renew: () => Promise<void>) => Promise<T>): Promise<T>;
}

/** `duration` in milliseconds is longer than a request to the shop may take. */
export async function openOrderLeases(store: Store, clock: Clock, duration: number): Promise<OrderLeases> {
  const documents = await store.collection<LeaseDocument>('woocommerce_leases');

  const inTurn = turns();
  const acquire = async (_id: number, owner: string): Promise<void> => {
    const now = clock.now();
    const lease = { owner, until: now + duration };
    const { matchedCount } = await documents.updateOne({ _id, until: { $lte: now } }, { $set: lease });
    if (matchedCount === 1) return;
    try {
      await documents.insertOne({ _id, ...lease });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new ShopUnavailable(`Order ${_id} is being changed by another process.`);
    }
  };
  const holding: OrderLeases['holding'] = async (_id, work) => {
    const owner = newId('req', clock.now());
    await acquire(_id, owner);
    const renew = async (): Promise<void> => {
      const until = clock.now() + duration;
      if ((await documents.updateOne({ _id, owner }, { $set: { until } })).matchedCount === 1) return;
      throw new ShopUnavailable(`Order ${_id} is being changed by another process.`);
    };
    try {
      const done = await work(renew);
      await documents.deleteMany({ _id, owner });
      return done;
    } catch (error) {
      const mayHaveHappened = error instanceof ShopUnavailable && error.mayHaveHappened;
      if (!mayHaveHappened) await documents.deleteMany({ _id, owner }).catch(() => undefined);
      throw error;
    }
  };
  return { holding: (orderId, work) => inTurn(orderId, () => holding(orderId, work)) };
}
