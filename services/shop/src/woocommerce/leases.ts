import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@order-automation/contracts';
import { type Clock, inSequence, isFree, leaseRenewal } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import { LostWrite, ShopUnavailable } from './failures';
import { jittered } from './shop-health';

/** `left_by`: the work that has lost a write: it alone may go on before `until`. */
type LeaseDocument = {
  readonly _id: number;
  readonly owner: string;
  readonly until: number;
  readonly left_by?: string;
};

export type Lease = {
  /** To be called before each write. Rejects when another process has taken the order over. */
  renew(): Promise<void>;
  /** Milliseconds for which a write may happen yet that this work has lost before. */
  readonly unsettled: number;
};

export type OrderLeases = Awaited<ReturnType<typeof openOrderLeases>>;

/** Milliseconds that another process is waited for at most, and before the second try. */
const timeout = 4_000;
const firstDelay = 100;

/** Milliseconds of a lease, renewed three times meanwhile: an order is left alone so long after its process died, longer than a write takes to settle. */
const duration = 6_000;

export async function openOrderLeases(store: Store, clock: Clock) {
  const documents = await store.collection<LeaseDocument>('woocommerce_leases');
  const inTurn = inSequence();
  const renewing = leaseRenewal<() => Promise<void>>(duration, (held) =>
    Promise.allSettled(held.map((renew) => renew())),
  );

  /** Resolves with how long a lost write of the same work is unsettled; null when the order is another's. */
  const acquire = async (_id: number, owner: string, name: string | undefined): Promise<number | null> => {
    const now = clock.now();
    const lease = { owner, until: now + duration };
    if ((await insertNew(documents, [{ _id, ...lease }])).length === 0) return 0;
    const held = await documents.findOne({ _id });
    if (held === null) return null;
    const isOver = isFree(held.until, now, 10 * duration);
    if (!isOver && (name === undefined || held.left_by !== name)) return null;
    const update = { $set: lease, $unset: { left_by: '' as const } };
    const { matchedCount } = await documents.updateOne({ _id, owner: held.owner, until: held.until }, update);
    if (matchedCount === 0) return null;
    return isOver ? 0 : held.until - now;
  };
  const acquireSoon = async (_id: number, owner: string, name: string | undefined): Promise<number> => {
    for (let waited = 0; ; ) {
      const unsettled = await acquire(_id, owner, name);
      if (unsettled !== null) return unsettled;
      if (waited >= timeout) throw new ShopUnavailable(`Order ${_id} is being changed by another process.`);
      const wait = jittered(firstDelay + waited / 4);
      await delay(wait);
      waited += wait;
    }
  };
  const holding = async <T>(_id: number, work: (lease: Lease) => Promise<T>, name?: string): Promise<T> => {
    const owner = newId('req', clock.now());
    const unsettled = await acquireSoon(_id, owner, name);
    const renew = async (): Promise<void> => {
      const until = clock.now() + duration;
      if ((await documents.updateOne({ _id, owner }, { $set: { until } })).matchedCount === 1) return;
      throw new ShopUnavailable(`Order ${_id} is being changed by another process.`);
    };
    try {
      const done = await renewing(renew, () => work({ renew, unsettled }));
      await documents.deleteMany({ _id, owner });
      return done;
    } catch (error) {
      const left = error instanceof LostWrite && error.unsettled > 0 ? error.unsettled : 0;
      const $set = { until: clock.now() + left, ...(name ? { left_by: name } : {}) };
      const leave = left > 0 ? documents.updateOne({ _id, owner }, { $set }) : documents.deleteMany({ _id, owner });
      await leave.catch(() => undefined);
      throw error;
    }
  };
  return {
    /**
     * Does the work while no other instance changes the order: WooCommerce cannot compare and set. The work renews the lease before each write. When
     * it has lost a write, nobody else touches the order until the write has settled; the same work, by its name, may go on at once. Work of one
     * process waits for its turn, and some seconds for another process; then it rejects with ShopUnavailable.
     */
    holding: <T>(orderId: number, work: (lease: Lease) => Promise<T>, name?: string): Promise<T> =>
      inTurn([orderId], () => holding(orderId, work, name)),
  };
}
