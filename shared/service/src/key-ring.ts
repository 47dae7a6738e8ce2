import { randomUUID } from 'node:crypto';
import { type Documents, isDuplicateKey, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import { fingerprintOf, requireSecretKey } from './key-fingerprint';
import { repeatedly } from './repeatedly';

/** The keys of `SECRET_KEY`. */
export type KeyRing = {
  /** Newest first: what any of them wrote is read. */
  readonly all: readonly Buffer[];
  /** The index in `all` of the key that is written with: the newest that every live instance of this service has. */
  current(): number;
};

export type SharedKeyRing = KeyRing & {
  /** Called whenever another key is written with, to encrypt with it what is stored. */
  onMove(encryptAgain: () => Promise<void>): void;
  close(): Promise<void>;
};

/** The keys of a program that shares its data with nobody. */
export const keyRing = (all: readonly Buffer[]): KeyRing => ({ all, current: () => 0 });

type InstanceDocument = { readonly _id: string; readonly fingerprints: readonly string[]; readonly beat: number };
type WrittenWith = { readonly _id: 'newest'; readonly fingerprint: string };

type Options = {
  readonly store: Pick<Store, 'collection'>;
  readonly log: Logger;
  /** Milliseconds between two signs of life. */
  readonly every?: number;
};

/** An instance whose sign of life stayed the same for so many looks is gone. Looks are counted, not time: clocks differ, and stores are away. */
const looksUntilGone = 4;

/**
 * Says in the store which keys this instance has, and writes with the newest that all live instances have: a new key in front of the former one can be
 * given to one instance after the other, and none meets what it cannot read. Throws ConfigError when the data were written with a key that is none of
 * these: secrets could not be read, and the log would look tampered with.
 */
export async function openKeyRing(
  keys: readonly Buffer[],
  { store, log, every = 15_000 }: Options,
): Promise<SharedKeyRing> {
  const prints = keys.map(fingerprintOf);
  const written = await openWritten(store, prints[0] ?? '');
  const instances = await openInstances(store, prints);
  const moved: (() => Promise<void>)[] = [];
  const indexOf = async (): Promise<number> => prints.indexOf(await written.fingerprint());

  requireSecretKey(await written.fingerprint(), keys);
  await instances.beat();
  let current = await indexOf();
  if (current < 0) {
    await instances.leave();
    requireSecretKey(await written.fingerprint(), keys);
  }

  /** Undone when an instance without that key has come meanwhile: it looks at the fingerprint after it has said which keys it has. */
  const move = async (from: string, to: string): Promise<void> => {
    if ((await written.move(from, to)) && !(await instances.allHave(to))) await written.move(to, from);
  };
  const look = async (): Promise<void> => {
    await instances.beat();
    await instances.look();
    const [now, wanted] = [await written.fingerprint(), await instances.newestOfAll()];
    if (wanted !== undefined && wanted !== now) await move(now, wanted);
    const next = await indexOf();
    if (next < 0 || next === current) return;
    current = next;
    for (const encryptAgain of moved) await encryptAgain();
    log.info({ key: prints[current] }, 'what is stored is encrypted with another key of SECRET_KEY now');
  };
  await look();
  if (current > 0)
    log.warn(
      'an instance that runs does not have the newest key of SECRET_KEY: the former one is written with until it has, or is gone',
    );
  const looking = repeatedly(every, () =>
    look().catch((error: unknown) => log.warn({ err: error }, 'the keys of the other instances could not be read')),
  );
  return {
    all: keys,
    current: () => current,
    onMove: (encryptAgain) => void moved.push(encryptAgain),
    close: async () => {
      await looking.close();
      await instances.leave().catch(() => undefined);
    },
  };
}

/** The fingerprint of the key that data are written with; a store without one gets this one. */
async function openWritten(store: Options['store'], newest: string) {
  const documents: Documents<WrittenWith> = await store.collection<WrittenWith>('secret_key');
  await documents.insertOne({ _id: 'newest', fingerprint: newest }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  return {
    fingerprint: async () => (await documents.findOne({ _id: 'newest' }))?.fingerprint ?? newest,
    move: async (from: string, fingerprint: string) =>
      (await documents.updateOne({ _id: 'newest', fingerprint: from }, { $set: { fingerprint } })).matchedCount === 1,
  };
}

type Seen = { readonly beat: number; readonly looks: number };

async function openInstances(store: Options['store'], prints: readonly string[]) {
  const documents: Documents<InstanceDocument> = await store.collection<InstanceDocument>('secret_key_instances');
  const _id = randomUUID();
  let beats = 0;
  let seen = new Map<string, Seen>();
  const isGone = ({ _id: other }: InstanceDocument): boolean => (seen.get(other)?.looks ?? 0) >= looksUntilGone;
  const live = async () => (await documents.find({}).toArray()).filter((one) => one._id !== _id && !isGone(one));
  const has = (print: string) => (one: InstanceDocument) => one.fingerprints.includes(print);
  return {
    beat: async () => {
      const fields = { fingerprints: [...prints], beat: ++beats };
      const { matchedCount } = await documents.updateOne({ _id }, { $set: fields });
      if (matchedCount === 0) await documents.insertOne({ _id, ...fields });
    },
    /** Counts how long the others have given no sign of life, and forgets those that are gone. */
    look: async () => {
      const before = seen;
      const found = await documents.find({}).toArray();
      seen = new Map(
        found.map(({ _id: id, beat }) => {
          const last = before.get(id);
          return [id, { beat, looks: last?.beat === beat ? last.looks + 1 : 0 }];
        }),
      );
      const gone = found.filter((one) => one._id !== _id && isGone(one)).map((one) => one._id);
      if (gone.length > 0) await documents.deleteMany({ _id: { $in: gone } });
    },
    newestOfAll: async () => {
      const others = await live();
      return prints.find((print) => others.every(has(print)));
    },
    allHave: async (print: string) => (await live()).every(has(print)),
    leave: () => documents.deleteMany({ _id }),
  };
}
