import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, type StoredText } from '@order-automation/store';
import Database from 'better-sqlite3';
import type { MongoClient } from 'mongodb';

/** The JSON of documents by `service.collection _id`. */
export type Stored = ReadonlyMap<string, string>;

/** Every document of a data folder. */
export function inFolder(dataDir: string): Stored {
  const found = new Map<string, string>();
  for (const file of readdirSync(dataDir).filter((name) => name.endsWith('.sqlite'))) {
    const database = new Database(join(dataDir, file), { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%doc TEXT%'").pluck().all();
    for (const name of tables as string[])
      for (const stored of database.prepare(`SELECT doc FROM "${name}"`).pluck().all() as StoredText[]) {
        const document = JSON.parse(plainText(stored));
        found.set(`${file.replace('.sqlite', '')}.${name} ${document._id}`, sorted(document));
      }
    database.close();
  }
  return found;
}

/** Every document of the databases of a namespace. */
export async function inDatabases(client: MongoClient, namespace: string): Promise<Stored> {
  const found = new Map<string, string>();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((database) => database.name.startsWith(`${namespace}_`)))
    for (const collection of await client.db(name).collections()) {
      const place = `${name.slice(namespace.length + 1).replaceAll('_', '-')}.${collection.collectionName}`;
      for (const document of await collection.find({}, { batchSize: 100_000 }).toArray())
        found.set(`${place} ${document._id}`, sorted(document));
    }
  return found;
}

/** JSON with the fields of each object in the order of their names. */
function sorted(document: object): string {
  const byName = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(document, byName);
}
