import type { Store } from '@order-automation/store';
import { type Inbox, type InboxDocument, openInbox, type Taken } from './inbox';
import { type Owed, openOwed } from './owed';
import { openPayloads, type PayloadDocument, type Payloads } from './payloads';

/** Everything that intake stores. */
export type Collections = {
  readonly inbox: Inbox;
  readonly payloads: Payloads;
  readonly owed: Owed;
  /**
   * Stores a payload and claims the keys of its events; resolves with the keys that others hold, when all of it is flushed. An inbox
   * document without its payload does not stay: keys whose payload could not be written are free again when this rejects. A payload without
   * inbox documents is what a crash may leave, and is cleaned up.
   */
  accept(payload: PayloadDocument, candidates: readonly InboxDocument[], now: number): Promise<Taken>;
};

/** Opens the collections. Rejects when the database is away. */
export async function openCollections(store: Store): Promise<Collections> {
  const [inbox, payloads, owed] = await Promise.all([openInbox(store), openPayloads(store), openOwed(store)]);
  return {
    inbox,
    payloads,
    owed,
    accept: async (payload, candidates, now) => {
      const written = payloads.add(payload);
      if (!store.joinsWrites) await written;
      const [claimed, kept] = await Promise.allSettled([inbox.claim(candidates, now), written]);
      if (claimed.status === 'rejected') throw claimed.reason;
      if (kept.status === 'fulfilled') return claimed.value;
      const mine = candidates.filter(({ key }) => !claimed.value.has(key)).map(({ _id }) => _id);
      await inbox.remove(mine);
      throw kept.reason;
    },
  };
}
