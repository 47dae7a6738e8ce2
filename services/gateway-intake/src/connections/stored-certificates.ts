import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { textOf } from '@order-automation/base';
import { insertNew, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import { readFor, type WalletCertificate, walletCertificate } from '../gateways/wallet/certificates';

/** A certificate of the wallet that an administrator loaded. */
export type CertificateDocument = { readonly _id: string; readonly pem: string; readonly added_at: string };

export type Certificates = Awaited<ReturnType<typeof openCertificates>>;

type Known = WalletCertificate & { readonly source: 'loaded' | 'directory'; readonly pem: string };

const maxCertificates = 200;

/** Certificates from the store, and from a directory of PEM files that are named by certificate id. Throws ConfigError when a file cannot be read. */
export async function openCertificates(store: Store, directory: string | undefined, log: Logger) {
  const documents = await store.collection<CertificateDocument>('certificates');
  const ofDirectory = directory === undefined ? [] : readFor('walletCertificates', () => readDirectory(directory));
  let known = new Map<string, Known>();
  const refresh = async (): Promise<void> => {
    const loaded = await documents.find({}).limit(maxCertificates).toArray();
    const next = new Map<string, Known>(ofDirectory.map((one) => [one.id, one]));
    for (const { _id, pem } of loaded) {
      const before = known.get(_id);
      if (next.has(_id)) continue;
      if (before?.pem === pem) next.set(_id, before);
      else
        try {
          next.set(_id, { ...walletCertificate(_id, pem), source: 'loaded', pem });
        } catch (error) {
          log.error({ err: error, certificate: _id }, 'a stored certificate cannot be read');
        }
    }
    known = next;
  };
  await refresh();
  return {
    byId: (id: string): WalletCertificate | undefined => known.get(id),
    all: () => [...known.values()],
    /** A PEM that can be read. False when the id is taken. */
    add: async (id: string, pem: string, now: number): Promise<boolean> => {
      if (known.has(id)) return false;
      const taken = await insertNew(documents, [{ _id: id, pem, added_at: new Date(now).toISOString() }]);
      if (taken.length === 0) await refresh();
      return taken.length === 0;
    },
    remove: async (id: string): Promise<boolean> => {
      const { deletedCount } = await documents.deleteMany({ _id: id });
      await refresh();
      return deletedCount === 1;
    },
    refresh,
  };
}

function readDirectory(directory: string): Known[] {
  const names = readdirSync(directory).filter((name) => ['.pem', '.crt', '.cer'].includes(extname(name)));
  return names.map((name) => {
    const pem = readFileSync(join(directory, name), 'utf8');
    try {
      return { ...walletCertificate(parse(name).name, pem), source: 'directory', pem };
    } catch (error) {
      throw new Error(`${name}: ${textOf(error)}`, { cause: error });
    }
  });
}
