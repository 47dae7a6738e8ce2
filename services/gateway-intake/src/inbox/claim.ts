import { idBound } from '@order-automation/contracts';
import { type Documents, insertNew } from '@order-automation/store';
import {
  acceptedWithoutDocument,
  documentOf,
  finishedStates,
  type InboxDocument,
  type InboxEvent,
  keyLifetime,
} from './documents';
import type { Holder, Payloads } from './payloads';

/** The event that has a key, with its order where that is known. */
export type Claimed = Holder & { readonly order_id: number | null };

type Claiming = { readonly documents: Documents<InboxDocument>; readonly payloads: Payloads };

/** Times that keys are found neither free nor held, because their holders come and go. */
const maxRounds = 3;

/**
 * Stores events and resolves with the holders of those keys that were taken, by key. A key whose holder is finished and older than 35 days is free.
 * Payload and inbox document are written at once, in that order; whichever a crash leaves alone was never acknowledged: a copy completes a payload, and
 * the relay removes a document. Rejects when anything may be missing: then nothing may be promised.
 */
export async function claim(
  { documents, payloads }: Claiming,
  candidates: readonly InboxEvent[],
  now: number,
): Promise<ReadonlyMap<string, Claimed>> {
  const taken = new Map<string, Claimed>();
  const bound = idBound('evt', now - keyLifetime);
  let open = candidates;
  for (let round = 0; open.length > 0; round += 1) {
    if (round === maxRounds) throw new Error('keys of the inbox are neither free nor held');
    const [refused] = await Promise.all([payloads.add(open), insertNew(documents, open.map(documentOf))]);
    if (refused.length === 0) break;
    const held = await payloads.holders(refused);
    const ids = held.map(({ _id }) => _id);
    const states = await withDocuments({ documents, payloads }, ids);
    const isExpired = ({ _id }: Holder): boolean => {
      const state = states.get(_id)?.state;
      return _id < bound && state !== undefined && finishedStates.includes(state);
    };
    for (const holder of held)
      if (!isExpired(holder)) taken.set(holder.key, { ...holder, order_id: states.get(holder._id)?.order_id ?? null });
    const expired = held.filter(isExpired).map(({ _id }) => _id);
    const refusedKeys = new Set(refused);
    const copies = open.filter(({ _id, key }) => refusedKeys.has(key) && taken.get(key)?._id !== _id);
    if (expired.length > 0) await payloads.remove(expired);
    await documents.deleteMany({ _id: { $in: [...expired, ...copies.map(({ _id }) => _id)] } });
    open = copies.filter(({ key }) => !taken.has(key));
  }
  return taken;
}

/** The documents of these events by their ids. One that a process left without, before it could answer, gets it now. */
export async function withDocuments(
  { documents, payloads }: Claiming,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InboxDocument>> {
  const found = await documents.find({ _id: { $in: [...ids] } }).toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  const without = ids.filter((id) => !byId.has(id));
  if (without.length === 0) return byId;
  const made = (await payloads.byIds(without)).map(acceptedWithoutDocument);
  await insertNew(documents, made);
  for (const document of made) byId.set(document._id, document);
  return byId;
}
