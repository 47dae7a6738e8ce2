import { ServiceError } from '@order-automation/contracts';
import type { Sealer } from '@order-automation/service';
import { type Documents, insertNew, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import { type StoredSecret, sealedAgain, secretOpener } from './secret-set';

/** A sender whose secrets are stored: `_id` is its name, and the newest secret is the first. */
export type SenderDocument = {
  readonly _id: string;
  readonly secrets: readonly StoredSecret[];
  /** Secrets of the environment that were given an end. */
  readonly ended_environment?: readonly StoredSecret[];
  /** Counts changes: an update names the one it was made from. */
  readonly version: number;
};

export type SenderDeps = {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** Tells the other instances of a change. */
  readonly settingsChanged: () => Promise<void>;
};

type Senders = { readonly name: string; readonly kind: 'gateway' | 'connection'; readonly max: number };

export const ownerOf = (kind: Senders['kind'], name: string): string => `${kind} ${name}`;

/** Opens a collection of senders, and re-encrypts secrets that the active key has not encrypted. */
export async function openSenders<T extends SenderDocument>(
  { store, sealer, log }: SenderDeps,
  { name: collection, kind, max }: Senders,
) {
  const documents = await store.collection<T>(collection);
  const common = documents as unknown as Documents<SenderDocument>;
  const all = async () => (await common.find({}).sort({ _id: 1 }).limit(max).toArray()) as SenderDocument[] as T[];
  const open = secretOpener(sealer, (error, owner) =>
    log.error({ err: error, owner }, `a secret of a ${kind} cannot be decrypted`),
  );
  /** False when it has changed since. */
  const replace = async ({ _id, ...fields }: SenderDocument, before: number): Promise<boolean> => {
    const $set = { ...fields, version: before + 1 };
    if ((await common.updateOne({ _id, version: before }, { $set })).matchedCount === 1) return true;
    return before === 0 && (await insertNew(common, [{ _id, ...$set }])).length === 0;
  };
  const reencrypt = async (): Promise<void> => {
    for (const document of await all()) {
      const again = (secrets: readonly StoredSecret[] = []) =>
        sealedAgain(sealer, ownerOf(kind, document._id), secrets);
      const [secrets, ended] = [again(document.secrets), again(document.ended_environment)];
      if (!secrets && !ended) continue;
      const changed = { ...document, ...(secrets && { secrets }), ...(ended && { ended_environment: ended }) };
      await replace(changed, document.version);
      log.info({ [kind]: document._id }, `secrets of a ${kind} were re-encrypted`);
    }
  };
  await reencrypt();
  return {
    documents,
    all,
    byName: async (_id: string) => (await common.findOne({ _id })) as T | null,
    open: (name: string, secrets: readonly StoredSecret[]) => open(ownerOf(kind, name), secrets),
    /** Compares and sets, so that of two changes at once neither is lost. 412 `svc_version_conflict`. */
    change: async (name: string, read: () => Promise<T>, change: (before: T) => T): Promise<void> => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const before = await read();
        if (await replace(change(before), before.version)) return;
      }
      throw new ServiceError(412, 'svc_version_conflict', `Somebody else is changing ${name}.`, { name });
    },
    remove: async (_id: string) => (await common.deleteMany({ _id })).deletedCount === 1,
    reencrypt,
  };
}

/** A function that reads and applies what it found. Reads may overlap; an earlier one never replaces a later one. Rejects when the read does. */
export function newestRead<Found>(read: () => Promise<Found>, apply: (found: Found) => void): () => Promise<void> {
  let begun = 0;
  let applied = 0;
  return async () => {
    begun += 1;
    const turn = begun;
    const found = await read();
    if (turn < applied) return;
    applied = turn;
    apply(found);
  };
}
