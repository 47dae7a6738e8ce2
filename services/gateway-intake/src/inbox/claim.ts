import { idBound } from '@order-automation/contracts';
import { type Documents, insertNew, isUnavailable } from '@order-automation/store';
import { finishedStates, type InboxDocument, type InboxEvent, split } from './documents';
import { inboxQueries, keyLifetime } from './inbox';
import type { Payloads } from './payloads';

export type Holder = Pick<InboxDocument, '_id' | 'key' | 'state' | 'process_id'>;

/**
 * Inserts events and resolves with the holders of those keys that were taken, by key. A key whose holder is finished and older than 35 days
 * is free. Payload and inbox document are written at once, and flushed together. Rejects when anything may be missing: then nothing may be promised.
 */
export async function claim(
  documents: Documents<InboxDocument>,
  payloads: Payloads,
  candidates: readonly InboxEvent[],
  now: number,
): Promise<ReadonlyMap<string, Holder>> {
  const both = candidates.map(split);
  const [, refused] = await Promise.all([
    payloads.add(both.map(({ payload }) => payload)),
    insert(
      documents,
      both.map(({ document }) => document),
    ),
  ]);
  if (refused.length === 0) return new Map();
  const taken = await holders(documents, refused, now);
  await Promise.all([
    payloads.remove(candidates.filter((one) => isCopy(one, taken)).map(({ _id }) => _id)),
    complete(payloads, candidates, taken),
  ]);
  return taken;
}

function isCopy({ _id, key }: InboxDocument, taken: ReadonlyMap<string, Holder>): boolean {
  const holder = taken.get(key);
  return holder !== undefined && holder._id !== _id;
}

/** A holder without a payload was left by a process that ended between two writes and acknowledged nothing: the copy supplies it. */
async function complete(
  payloads: Payloads,
  candidates: readonly InboxEvent[],
  taken: ReadonlyMap<string, Holder>,
): Promise<void> {
  const missing = new Set(await payloads.missing([...taken.values()].map(({ _id }) => _id)));
  if (missing.size === 0) return;
  const supplied = candidates.flatMap((candidate) => {
    const _id = taken.get(candidate.key)?._id ?? '';
    return missing.has(_id) ? [{ ...split(candidate).payload, _id, event: { ...candidate.event, id: _id } }] : [];
  });
  await payloads.add(supplied);
}

async function holders(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
  now: number,
): Promise<Map<string, Holder>> {
  const taken = new Map<string, Holder>();
  const bound = idBound('evt', now - keyLifetime);
  let refused = candidates;
  for (let round = 0; refused.length > 0; round += 1) {
    if (round === 3) throw new Error('keys of the inbox are neither free nor held');
    const found = await holdersOf(documents, refused);
    const expired = [...found.values()].filter(({ _id, state }) => _id < bound && finishedStates.includes(state));
    const free = new Set(expired.map(({ key }) => key));
    for (const [key, holder] of found) if (!free.has(key)) taken.set(key, holder);
    if (expired.length > 0) await documents.deleteMany(inboxQueries.byIds(expired.map(({ _id }) => _id)).filter);
    refused = await insert(
      documents,
      refused.filter(({ key }) => !taken.has(key)),
    );
  }
  return taken;
}

/** Tries of an insert that the database refuses for a reason of its own: it ended one of two writers that waited for each other. */
const maxTries = 4;

/**
 * The documents whose key is held, by another or by themselves from an earlier try. They are inserted in the order of their keys, so that
 * groups with the same keys seldom wait for each other in a database that locks each key until the whole group is written.
 */
async function insert(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
): Promise<readonly InboxDocument[]> {
  const sorted = [...candidates].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  for (let tries = 1; ; tries += 1) {
    try {
      const duplicates = await insertNew(documents, sorted);
      return duplicates.map((index) => sorted[index]).filter((candidate) => candidate !== undefined);
    } catch (error) {
      if (tries === maxTries || isUnavailable(error)) throw error;
    }
  }
}

async function holdersOf(
  documents: Documents<InboxDocument>,
  refused: readonly InboxDocument[],
): Promise<Map<string, Holder>> {
  const { filter } = inboxQueries.holders(refused.map(({ key }) => key));
  const found = await documents.find(filter, { projection: { _id: 1, key: 1, state: 1, process_id: 1 } }).toArray();
  return new Map(found.map((holder) => [holder.key, holder]));
}
