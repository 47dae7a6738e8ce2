import { idBound } from '@order-automation/contracts';
import { type Documents, insertNew } from '@order-automation/store';
import type { BegunEvents } from './begun';
import { documentOf, finishedStates, type InboxDocument, type InboxEvent, needsNoDocument } from './documents';
import { inboxQueries, keyLifetime } from './inbox';
import type { Holder, Payloads } from './payloads';

export type Claiming = {
  readonly documents: Documents<InboxDocument>;
  readonly payloads: Payloads;
  readonly begun: Pick<BegunEvents, 'remember'>;
};

/** Times that keys are found neither free nor held, because their holders come and go. */
const maxRounds = 3;

/**
 * Stores events and resolves with the holders of those keys that were taken, by key. A key whose holder is finished and older than 35 days is free.
 * Rejects when anything may be missing: then nothing may be promised. The payload is the event; an inbox document that should stand beside it
 * follows from it, should this process end before it is written.
 */
export async function claim(
  { documents, payloads, begun }: Claiming,
  candidates: readonly InboxEvent[],
  now: number,
): Promise<ReadonlyMap<string, Holder>> {
  const taken = new Map<string, Holder>();
  const bound = idBound('evt', now - keyLifetime);
  let open = candidates;
  for (let round = 0; open.length > 0; round += 1) {
    if (round === maxRounds) throw new Error('keys of the inbox are neither free nor held');
    const refused = await payloads.add(open);
    const held = await payloads.holders(refused);
    const expired = new Set(await expiredOf(documents, held, bound));
    for (const holder of held) if (!expired.has(holder._id)) taken.set(holder.key, holder);
    if (expired.size > 0) {
      await payloads.remove([...expired]);
      await documents.deleteMany(inboxQueries.byIds([...expired]).filter);
    }
    const lost = new Set(refused);
    open = open.filter(({ key }) => lost.has(key) && !taken.has(key));
  }
  const isStored = ({ _id, key }: InboxEvent): boolean => (taken.get(key)?._id ?? _id) === _id;
  const stored = candidates.filter(isStored);
  const tooMany = begun.remember(stored.filter(needsNoDocument), now);
  const others = stored.filter((one) => !needsNoDocument(one)).map(documentOf);
  await insertNew(documents, [...others, ...tooMany]);
  return taken;
}

/** Those that came before the bound and are finished. */
async function expiredOf(
  documents: Documents<InboxDocument>,
  holders: readonly Holder[],
  bound: string,
): Promise<readonly string[]> {
  const old = holders.flatMap(({ _id }) => (_id < bound ? _id : []));
  if (old.length === 0) return [];
  const found = await documents.find(inboxQueries.byIds(old).filter).toArray();
  return found.flatMap(({ _id, state }) => (finishedStates.includes(state) ? _id : []));
}
