import type { Sealer } from '@order-automation/service';
import type { Logger } from 'pino';
import type { Connection } from '../gateways/connection';
import type { ConnectionCollection, ConnectionDocument } from './collection';
import { newestRead } from './newest-read';
import { readingOf } from './reading';
import { sealedAgain, secretOpener } from './secret-set';
import { sealedForConnection } from './secrets';

/** The connections as the receiving path reads them, without a look into the store for each webhook. */
export type LiveConnections = {
  byName(name: string): Connection | undefined;
  all(): readonly Connection[];
  /** Whether there is a connection, or ever was. */
  hasExisted(): boolean;
  /** Reads them again. Rejects when the store is unavailable. */
  refresh(): Promise<void>;
  /** Encrypts the secrets with the active key. */
  reencrypt(): Promise<void>;
};

type Parts = { readonly collection: ConnectionCollection; readonly sealer: Sealer; readonly log: Logger };

/** Reads the connections, and re-encrypts secrets that the active key has not encrypted. */
export async function liveConnections({ collection, sealer, log }: Parts): Promise<LiveConnections> {
  let byName = new Map<string, Connection>();
  let existed = false;
  const open = secretOpener(sealer, (error, owner) =>
    log.error({ err: error, owner }, 'a secret of a connection cannot be decrypted'),
  );
  const read = async () => ({ documents: await collection.all(), marked: await collection.hasExisted() });
  const refresh = newestRead(read, ({ documents, marked }) => {
    byName = new Map(documents.map((document) => [document._id, connectionOf(document, open)]));
    existed ||= marked || documents.length > 0;
  });
  const reencrypt = () => rewrap(collection, sealer, log);
  await reencrypt();
  await refresh();
  if (byName.size > 0) await collection.markExisted();
  return {
    byName: (name) => byName.get(name),
    all: () => [...byName.values()],
    hasExisted: () => existed,
    refresh,
    reencrypt,
  };
}

function connectionOf(document: ConnectionDocument, open: ReturnType<typeof secretOpener>): Connection {
  const { _id: name, enabled, auth_method: method, hmac_header: header, encoding, prefix, paths } = document;
  const { amount_unit: amountUnit = 'major' } = document;
  const secrets = open(sealedForConnection(name), document.secrets);
  return { name, enabled, method, header, encoding, prefix, paths, amountUnit, secrets, reading: readingOf(document) };
}

async function rewrap(collection: ConnectionCollection, sealer: Sealer, log: Logger): Promise<void> {
  for (const document of await collection.all()) {
    const secrets = sealedAgain(sealer, sealedForConnection(document._id), document.secrets);
    if (!secrets) continue;
    await collection.replace({ ...document, secrets, version: document.version + 1 });
    log.info({ connection: document._id }, 'secrets of a connection were re-encrypted');
  }
}
