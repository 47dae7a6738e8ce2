import { isoTime } from '@order-automation/contracts';
import { type JobDocument, openJobs, type Sealer } from '@order-automation/service';
import { type Documents, insertNew, type Store } from '@order-automation/store';
import { ownerOf } from '../connections/sender-documents';
import { SourceError } from './source';

/** A gateway with the key by which it is asked, and how far that has come. Times are ISO 8601 UTC; `_id` is the gateway. */
export type SourceDocument = JobDocument & {
  readonly sealed: string;
  readonly last4: string;
  readonly asked_at?: string;
  /** Nothing that was sent before is taken up. */
  readonly begins: string;
  /** Everything before was asked for. */
  readonly asked_until: string;
  readonly behind: boolean;
  /** Milliseconds that one asking covers: fewer where more happened than fits into one. */
  readonly window: number;
  readonly found: number;
  readonly last_found?: { readonly at: string; readonly events: number };
  /** What was found with less than a day between: since when that was, and when the first and the last of it were sent. */
  readonly gap?: { readonly since: string; readonly from: string; readonly to: string };
  readonly problem: string | null;
};

/** Milliseconds that one asking covers at most and at least. */
export const windows = { longest: 6 * 3_600_000, shortest: 60_000 } as const;

const day = 24 * 3_600_000;
/** Whether something was found in the last day. */
export const isRecent = (found: SourceDocument['last_found'], now: number): boolean =>
  found !== undefined && now - Date.parse(found.at) < day;

export type Sources = Awaited<ReturnType<typeof openSources>>;

/** Opens the gateways that are asked for what never arrived. */
export async function openSources(store: Store, sealer: Sealer) {
  const jobs = await openJobs<SourceDocument>(store, 'event_sources', 'src');
  const documents = jobs.documents as unknown as Documents<Omit<SourceDocument, 'due'>>;
  const owner = (gateway: string): string => ownerOf('gateway', `${gateway} source`);
  const open = ({ _id, sealed }: SourceDocument): string => {
    try {
      return sealer.open(sealed, owner(_id));
    } catch {
      throw new SourceError('key', 'The key cannot be decrypted with SECRET_KEY: give it again.');
    }
  };
  /** Raises the fence: an instance that works on it saves nothing any more. */
  const changeNow = async (gateway: string, changes: (document: SourceDocument) => Partial<SourceDocument>) => {
    for (;;) {
      const document = await jobs.byId(gateway);
      if (!document) return false;
      if (await jobs.change(document, { ...changes(document), fence: document.fence + 1 })) return true;
    }
  };
  return {
    jobs,
    open,
    changeNow,
    /** A new key for one that is asked already goes on where that has come to. */
    connect: async (gateway: string, key: string, now: number): Promise<void> => {
      const given = { sealed: sealer.seal(key, owner(gateway)), last4: key.slice(-4), problem: null, due: now };
      if (await changeNow(gateway, () => ({ ...given, behind: true }))) return;
      const fresh = { ...given, _id: gateway, fence: 0, behind: false, found: 0 };
      const times = { begins: isoTime(now), asked_until: isoTime(now), window: windows.longest };
      await insertNew(jobs.documents, [{ ...fresh, ...times }]);
    },
    /** Whichever instance holds the lease: what was found counts. `sent`: when it was, in milliseconds since the epoch. */
    addFound: ({ _id, last_found, gap }: SourceDocument, sent: readonly number[], now: number) => {
      const isNext = gap !== undefined && isRecent(last_found, now);
      const ends = [...sent, ...(isNext ? [gap.from, gap.to].map((time) => Date.parse(time)) : [])];
      const [from, to] = [Math.min(...ends), Math.max(...ends)];
      const since = isNext ? gap.since : isoTime(now);
      const found = { last_found: { at: isoTime(now), events: sent.length } };
      const whole = { gap: { since, from: isoTime(from), to: isoTime(to) } };
      return documents.updateOne({ _id }, { $inc: { found: sent.length }, $set: { ...found, ...whole } });
    },
    /** False when there was none. */
    disconnect: async (_id: string) => (await jobs.documents.deleteMany({ _id })).deletedCount === 1,
    /** Encrypts the keys with the active key of ours; one that no key decrypts stays as it is. */
    reencrypt: async (): Promise<void> => {
      for (const document of await jobs.newest()) {
        if (!sealer.isOld(document.sealed)) continue;
        try {
          await changeNow(document._id, (now) => ({ sealed: sealer.seal(open(now), owner(now._id)) }));
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
        }
      }
    },
  };
}
