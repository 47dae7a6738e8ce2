import { createHash, createPrivateKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { type Documents, insertNew, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import { ConfigError } from '../process/config';
import { repeatedly } from '../process/repeatedly';

export type KeyRing = {
  /** Newest first: data that any of them wrote can be read. */
  readonly all: readonly Buffer[];
  /** The index in `all` of the active key, which writes: the newest that every live instance of this service has. */
  current(): number;
};

export type SharedKeyRing = KeyRing & {
  /** Adds what re-encrypts stored data with the active key. Called when another key has become active, and again until it succeeds. */
  onRotation(reencrypt: () => Promise<void>): void;
  close(): Promise<void>;
};

/** The keys of a program that shares its data with nobody. */
export const keyRing = (all: readonly Buffer[]): KeyRing => ({ all, current: () => 0 });

/** Derives a value from every key. `active` throws where there is no key. */
export function perKey<T>(keys: KeyRing, derive: (key: Buffer) => T) {
  const all = keys.all.map(derive);
  return {
    all: all as readonly T[],
    active: (): T => {
      const index = keys.current();
      if (!(index in all)) throw new Error('SECRET_KEY has no key to write with');
      return all[index] as T;
    },
  };
}

/** 32 bytes by HKDF-SHA256: those of one purpose say nothing of another. */
export const derivedKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `order-automation ${purpose}`, 32));

/** DER of an Ed25519 private key, without its 32 bytes (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private Ed25519 key of a purpose. */
export const derivedSigningKey = (key: Buffer, purpose: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ed25519Prefix, derivedKey(key, purpose)]), format: 'der', type: 'pkcs8' });

type InstanceDocument = { readonly _id: string; readonly fingerprints: readonly string[]; readonly heartbeat: number };
type ActiveKeyDocument = { readonly _id: 'newest'; readonly fingerprint: string };

type Options = {
  readonly store: Pick<Store, 'collection'>;
  readonly log: Logger;
  /** Milliseconds between two heartbeats. */
  readonly every?: number;
};

/** Refreshes without a new heartbeat after which an instance is dead. They are counted instead of time: clocks differ, and stores are unavailable. */
const missedHeartbeats = 4;

/**
 * Registers the keys of this instance in the store, and writes with the newest key that all live instances have, so that a rolling restart can add a key
 * in front of the former one. Throws ConfigError when the data were written with a key that is none of these: secrets could not be read, and the log
 * would look tampered with.
 */
export async function openKeyRing(
  keys: readonly Buffer[],
  { store, log, every = 15_000 }: Options,
): Promise<SharedKeyRing> {
  const prints = keys.map(fingerprintOf);
  const active = await openActiveKey(store, prints[0] ?? '');
  const instances = await openInstances(store, prints);
  const reencryptions: (() => Promise<void>)[] = [];
  const indexOf = async (): Promise<number> => prints.indexOf(await active.fingerprint());

  requireSecretKey(await active.fingerprint(), keys);
  await instances.heartbeat();
  let current = await indexOf();
  if (current < 0) {
    await instances.leave();
    requireSecretKey(await active.fingerprint(), keys);
  }

  /** Undone when an instance without that key has registered meanwhile: it reads the active key after it has registered. */
  const activate = async (from: string, to: string): Promise<void> => {
    if ((await active.replace(from, to)) && !(await instances.allHave(to))) await active.replace(to, from);
  };
  let encryptedWith = current;
  const refresh = async (): Promise<void> => {
    await instances.heartbeat();
    await instances.refresh();
    const [now, wanted] = [await active.fingerprint(), await instances.newestOfAll()];
    if (wanted !== undefined && wanted !== now) await activate(now, wanted);
    const found = await indexOf();
    if (found >= 0) current = found;
    if (current === encryptedWith) return;
    for (const reencrypt of reencryptions) await reencrypt();
    encryptedWith = current;
    log.info({ key: prints[current] }, 'stored data are encrypted with another key of SECRET_KEY now');
  };
  await refresh();
  if (current > 0)
    log.warn('a live instance lacks the newest key of SECRET_KEY: the former key stays active until it is replaced');
  const refreshing = repeatedly(every, () =>
    refresh().catch((error: unknown) =>
      log.warn({ err: error }, 'the keys of SECRET_KEY could not be compared or rotated'),
    ),
  );
  return {
    all: keys,
    current: () => current,
    onRotation: (reencrypt) => void reencryptions.push(reencrypt),
    close: async () => {
      await refreshing.close();
      await instances.leave().catch(() => undefined);
    },
  };
}

/** The fingerprint of the active key; a store without one gets `newest`. */
async function openActiveKey(store: Options['store'], newest: string) {
  const documents: Documents<ActiveKeyDocument> = await store.collection<ActiveKeyDocument>('secret_key');
  await insertNew(documents, [{ _id: 'newest', fingerprint: newest }]);
  return {
    fingerprint: async () => (await documents.findOne({ _id: 'newest' }))?.fingerprint ?? newest,
    replace: async (from: string, fingerprint: string) =>
      (await documents.updateOne({ _id: 'newest', fingerprint: from }, { $set: { fingerprint } })).matchedCount === 1,
  };
}

type Seen = { readonly heartbeat: number; readonly missed: number };

async function openInstances(store: Options['store'], prints: readonly string[]) {
  const documents: Documents<InstanceDocument> = await store.collection<InstanceDocument>('secret_key_instances');
  const _id = randomUUID();
  let heartbeats = 0;
  let seen = new Map<string, Seen>();
  const isDead = ({ _id: other }: InstanceDocument): boolean => (seen.get(other)?.missed ?? 0) >= missedHeartbeats;
  const others = async () => (await documents.find({}).toArray()).filter((one) => one._id !== _id);
  const live = async () => (await others()).filter((one) => !isDead(one));
  const has = (print: string) => (one: InstanceDocument) => one.fingerprints.includes(print);
  return {
    heartbeat: async () => {
      heartbeats += 1;
      const fields = { fingerprints: [...prints], heartbeat: heartbeats };
      const { matchedCount } = await documents.updateOne({ _id }, { $set: fields });
      if (matchedCount === 0) await documents.insertOne({ _id, ...fields });
    },
    /** Counts missed heartbeats of the others, and deletes dead instances. */
    refresh: async () => {
      const found = await others();
      const before = seen;
      seen = new Map(
        found.map(({ _id: id, heartbeat }) => {
          const last = before.get(id);
          return [id, { heartbeat, missed: last?.heartbeat === heartbeat ? last.missed + 1 : 0 }];
        }),
      );
      const dead = found.filter(isDead).map((one) => one._id);
      if (dead.length > 0) await documents.deleteMany({ _id: { $in: dead } });
    },
    newestOfAll: async () => {
      const instances = await live();
      return prints.find((print) => instances.every(has(print)));
    },
    allHave: async (print: string) => (await live()).every(has(print)),
    leave: () => documents.deleteMany({ _id }),
  };
}

/** Throws ConfigError when the fingerprint that a store has is of none of the keys. */
export function requireSecretKey(stored: string, keys: readonly Buffer[]): void {
  const given = keys.map(fingerprintOf);
  if (given.includes(stored)) return;
  const problem =
    `does not fit the data of this installation: they were written with the key of fingerprint ${stored}, and the fingerprint of ` +
    `${given.join(' and ')} was given. Give the former key, or put it behind the new one. Without it stored secrets cannot be read and the log cannot be proved`;
  const example = 'NEW_KEY_IN_BASE64 FORMER_KEY_IN_BASE64';
  throw new ConfigError([{ variable: 'SECRET_KEY', problem, example }]);
}

/** Tells keys apart, and gives nothing of them away. */
const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('order-automation fingerprint of a key').update(key).digest('hex').slice(0, 16);
