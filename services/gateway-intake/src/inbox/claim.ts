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
  /** There are events whose keys their inbox documents have. */
  readonly isEarlier: boolean;
};

/** Times that keys are found neither free nor held, because their holders come and go. */
const maxRounds = 3;

/**
 * Stores events and resolves with the holders of those keys that were taken, by key. A key whose holder is finished and older than 35 days is free.
 * Rejects when anything may be missing: then nothing may be promised. The payload is the event; an inbox document that should stand beside it
 * follows from it, should this process end before it is written.
 */
export async function claim(
  { documents, payloads, begun, isEarlier }: Claiming,
  candidates: readonly InboxEvent[],
  now: number,
): Promise<ReadonlyMap<string, Holder>> {
  const taken = new Map<string, Holder>();
  const bound = idBound('evt', now - keyLifetime);
  let open = candidates;
  for (let round = 0; open.length > 0; round += 1) {
    if (round === maxRounds) throw new Error('keys of the inbox are neither free nor held');
    const earlier = isEarlier ? await holdersOfEarlier(documents, open) : [];
    const heldEarlier = new Set(earlier.map(({ key }) => key));
    const refused = await payloads.add(open.filter(({ key }) => !heldEarlier.has(key)));
    const held = [...earlier, ...(await payloads.holders(refused))];
    const expired = new Set([
      ...(await expiredOf(documents, held, bound)),
      ...(await unacknowledged(payloads, earlier, now)),
    ]);
    for (const holder of held) if (!expired.has(holder._id)) taken.set(holder.key, holder);
    if (expired.size > 0) {
      await payloads.remove([...expired]);
      await documents.deleteMany(inboxQueries.byIds([...expired]).filter);
    }
    const lost = new Set([...heldEarlier, ...refused]);
    open = open.filter(({ key }) => lost.has(key) && !taken.has(key));
  }
  const isStored = ({ _id, key }: InboxEvent): boolean => (taken.get(key)?._id ?? _id) === _id;
  const stored = candidates.filter(isStored);
  const tooMany = begun.remember(stored.filter(needsNoDocument), now);
  const others = stored.filter((one) => !needsNoDocument(one)).map(documentOf);
  await insertNew(documents, [...others, ...tooMany]);
  return taken;
}

async function holdersOfEarlier(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxEvent[],
): Promise<Holder[]> {
  const { filter } = inboxQueries.holders(candidates.map(({ key }) => key));
  return documents.find(filter, { projection: { _id: 1, key: 1, process_id: 1 } }).toArray();
}

/** Milliseconds after which nobody still writes a payload. */
const longestWrite = 60_000;

/** Those that have no payload: a process of an earlier version ended between two writes, and acknowledged nothing. */
async function unacknowledged(payloads: Payloads, earlier: readonly Holder[], now: number): Promise<readonly string[]> {
  const bound = idBound('evt', now - longestWrite);
  const ids = earlier.flatMap(({ _id }) => (_id < bound ? _id : []));
  if (ids.length === 0) return [];
  const there = new Set((await payloads.byIds(ids)).map(({ _id }) => _id));
  return ids.filter((id) => !there.has(id));
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
