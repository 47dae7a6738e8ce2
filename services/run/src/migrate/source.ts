import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { storeVersion } from '@order-automation/service';
import { plainText, type StoredText } from '@order-automation/store';
import Database from 'better-sqlite3';
import { collectionNames, countOf } from '../backup/snapshot';
import { collectionsOf } from './collections';

export type StoredDocument = { readonly _id: string | number; readonly [field: string]: unknown };

export type SourceCollection = {
  readonly service: string;
  readonly name: string;
  readonly count: number;
  /** The next documents by `_id`, of some MiB at most; from the first on where `after` is undefined. Empty at the end. */
  page(after: string | number | undefined): StoredDocument[];
};

export type Source = ReturnType<typeof openSource>;

const maxPage = 1_000;
/** Characters of JSON after which a page ends: MongoDB takes messages of 48 MB, and memory is finite. */
const maxPageSize = 4 * 1024 * 1024;

/** Opens the databases of a data folder that no process uses, to read. Throws when one is of a newer version or has an unknown collection. */
export function openSource(dataDir: string) {
  const files = readdirSync(dataDir).filter((name) => name.endsWith('.sqlite'));
  const databases: Database.Database[] = [];
  const close = (): void => {
    for (const database of databases) database.close();
  };
  try {
    const collections: SourceCollection[] = [];
    /** By service, of the key that its data are written with. */
    const keyFingerprints = new Map<string, string>();
    for (const file of files) {
      const service = file.replace(/\.sqlite$/, '');
      if (!collectionsOf[service]) throw new Error(`This version does not know the database ${join(dataDir, file)}.`);
      const database = new Database(join(dataDir, file), { fileMustExist: true, timeout: 10_000 });
      databases.push(database);
      database.pragma('query_only = 1');
      const found = collectionsIn(database, service, collectionsOf[service]);
      checkVersion(service, found);
      const key = found.find(({ name }) => name === 'secret_key')?.page(undefined)[0]?.fingerprint;
      if (typeof key === 'string') keyFingerprints.set(service, key);
      collections.push(...found);
    }
    return { collections, keyFingerprints, close };
  } catch (error) {
    close();
    throw error;
  }
}

function collectionsIn(database: Database.Database, service: string, known: readonly string[]): SourceCollection[] {
  // What an earlier version made stays behind where nothing is in it, and the lease of its imports, which has ended.
  const isLeft = (name: string): boolean =>
    !known.includes(name) && (name === 'rule_import_lock' || countOf(database, name) === 0);
  const names = collectionNames(database).filter((name) => !isLeft(name));
  for (const name of names)
    if (!known.includes(name))
      throw new Error(
        `${service}.sqlite has a collection that this command does not know: ${name}. Nothing was written.`,
      );
  return names.map((name) => collection(database, service, name));
}

function collection(database: Database.Database, service: string, name: string): SourceCollection {
  const select = (where: string) => database.prepare(`SELECT doc FROM "${name}"${where} ORDER BY id`).pluck();
  const [all, rest] = [select(''), select(' WHERE id > ?')];
  return {
    service,
    name,
    count: countOf(database, name),
    page: (after) => {
      const page: StoredDocument[] = [];
      let size = 0;
      for (const stored of after === undefined ? all.iterate() : rest.iterate(after)) {
        const text = plainText(stored as StoredText);
        page.push(JSON.parse(text) as StoredDocument);
        size += text.length;
        if (page.length >= maxPage || size >= maxPageSize) break;
      }
      return page;
    },
  };
}

function checkVersion(service: string, collections: readonly SourceCollection[]): void {
  const stored = collections.find(({ name }) => name === 'store_version')?.page(undefined) ?? [];
  const version = stored.find(({ _id }) => _id === 'store')?.version;
  if (typeof version === 'number' && version > storeVersion)
    throw new Error(
      `${service}.sqlite holds data of a newer version of this product (${version}, this version reads ${storeVersion}): use that version. Nothing was written.`,
    );
}
