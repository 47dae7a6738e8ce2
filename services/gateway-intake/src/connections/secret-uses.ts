import type { Clock } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import type { Logger } from 'pino';

/** When a secret last proved a webhook; `_id` is the secret's, `at` ISO 8601 UTC. */
export type SecretUseDocument = { readonly _id: string; readonly at: string };

export type SecretUses = Awaited<ReturnType<typeof openSecretUses>>;

const minute = 60_000;
/** Milliseconds after which a use is forgotten at a start: its secret is long gone, or nobody misses it. */
const keptFor = 400 * 24 * 3_600_000;
/** Few: each belongs to a gateway or a connection. */
const maxUses = 5_000;

/** When each secret was last used. A webhook costs a number in memory, and no write. */
export async function openSecretUses(store: Store, clock: Clock, log: Logger) {
  const documents = await store.collection<SecretUseDocument>('secret_uses');
  const last = new Map<string, number>();
  const stored = new Map<string, number>();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (now: number): Promise<void> => {
    readAt = now;
    for (const { _id, at } of await documents.find({}).limit(maxUses).toArray()) {
      const time = Date.parse(at);
      stored.set(_id, Math.max(time, stored.get(_id) ?? 0));
      last.set(_id, Math.max(time, last.get(_id) ?? 0));
    }
  };
  const write = async (id: string, time: number): Promise<void> => {
    const at = new Date(time).toISOString();
    const { matchedCount } = await documents.updateOne({ _id: id }, { $max: { at } });
    if (matchedCount === 0) await insertNew(documents, [{ _id: id, at }]);
    stored.set(id, time);
  };
  await documents.deleteMany({ at: { $lt: new Date(clock.now() - keptFor).toISOString() } });
  await read(clock.now());
  return {
    /** Notes in memory that the secret proved a webhook. */
    note: (id: string, now: number): void => void last.set(id, now),
    /** Milliseconds since the epoch; null when it never did. Of other processes it is known to the minute. */
    lastOf: (id: string): number | null => last.get(id) ?? null,
    /** Stores what was noted, and reads what other processes noted, both once a minute and secret. `force`: at once. */
    refresh: async (force = false): Promise<void> => {
      const now = clock.now();
      try {
        for (const [id, time] of last) {
          const known = stored.get(id);
          if (known === undefined || time - known >= minute || (force && time > known)) await write(id, time);
        }
        if (force || now - readAt >= minute) await read(now);
      } catch (error) {
        log.warn({ err: error }, 'the last uses of secrets could not be stored');
      }
    },
    forget: async (id: string): Promise<void> => {
      last.delete(id);
      stored.delete(id);
      await documents.deleteMany({ _id: id });
    },
  };
}
