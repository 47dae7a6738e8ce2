import { type Documents, insertNew } from '@order-automation/store';
import { begunAs, documentOf, type InboxDocument, type InboxEvent } from './documents';
import { inboxQueries } from './inbox';
import type { Payloads } from './payloads';

/** Events that are remembered at a time: further ones get their inbox documents at once. */
const maxRemembered = 20_000;

export type BegunEvents = ReturnType<typeof begunEvents>;

/**
 * Events that were accepted and have no inbox document yet: nothing became of them. Those of this process are remembered, so that what becomes of one
 * is one insert; all others follow from their payloads.
 */
export function begunEvents(documents: Documents<InboxDocument>, payloads: Payloads) {
  const remembered = new Map<string, { readonly at: number; readonly document: InboxDocument }>();

  const documentsOf = (ids: readonly string[]): Promise<InboxDocument[]> =>
    documents.find(inboxQueries.byIds(ids).filter).toArray();

  /** As they begin, of these events those without a document. */
  const beginningsOf = async (ids: readonly string[]): Promise<InboxDocument[]> => {
    const known = ids.flatMap((id) => remembered.get(id)?.document ?? []);
    const others = ids.filter((id) => !remembered.has(id));
    if (others.length === 0) return known;
    const there = new Set((await documentsOf(others)).map(({ _id }) => _id));
    return [...known, ...(await fromPayloads(others.filter((id) => !there.has(id))))];
  };
  const fromPayloads = async (ids: readonly string[]): Promise<InboxDocument[]> =>
    ids.length === 0 ? [] : (await payloads.byIds(ids)).map(begunAs);

  const forget = (ids: readonly string[]): void => {
    for (const id of ids) remembered.delete(id);
  };
  /** Inserts documents of these events that have none, and resolves with the ids of those that had none. */
  const insert = async (
    ids: readonly string[],
    become: (document: InboxDocument) => InboxDocument,
  ): Promise<ReadonlySet<string>> => {
    const begun = await beginningsOf(ids);
    const refused = new Set(await insertNew(documents, begun.map(become)));
    forget(ids);
    return new Set(begun.flatMap(({ _id }, index) => (refused.has(index) ? [] : _id)));
  };
  return {
    /** Those that are to be remembered. `now` in milliseconds since the epoch. Resolves with the others' documents to be stored. */
    remember: (events: readonly InboxEvent[], now: number): InboxDocument[] => {
      const tooMany: InboxDocument[] = [];
      for (const one of events) {
        const document = documentOf(one);
        if (remembered.size < maxRemembered) remembered.set(document._id, { at: now, document });
        else tooMany.push(document);
      }
      return tooMany;
    },
    insert,
    /** Gives events that have none the documents that they begin with. */
    adopt: async (ids: readonly string[]): Promise<void> => {
      await insert(ids, (document) => document);
    },
    /** The documents of these events, stored or not. */
    byIds: async (ids: readonly string[]): Promise<InboxDocument[]> => {
      const found = await documentsOf(ids);
      if (found.length === ids.length) return found;
      const there = new Set(found.map(({ _id }) => _id));
      const without = ids.filter((id) => !there.has(id));
      const known = without.flatMap((id) => remembered.get(id)?.document ?? []);
      return [...found, ...known, ...(await fromPayloads(without.filter((id) => !remembered.has(id))))];
    },
    /** Ids of events of this process, the oldest first, that were accepted before a time, or after `now`, as by a clock that ran ahead. */
    acceptedBefore: (time: number, now: number, limit: number): string[] => {
      const ids: string[] = [];
      for (const [id, { at }] of remembered) {
        if (ids.length === limit) break;
        if (at <= time || at > now) ids.push(id);
      }
      return ids;
    },
    ids: (): string[] => [...remembered.keys()],
    oldest: (): InboxDocument | undefined => remembered.values().next().value?.document,
    count: (): number => remembered.size,
  };
}
