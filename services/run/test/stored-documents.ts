import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, type StoredText } from '@order-automation/store';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import type { Running } from './products';

/** Where a document stands, and its text. */
type Found = readonly [where: string, text: string];

/** Every document of every database, without the received bytes of webhooks: the only place that may hold what senders sent. */
export async function storedDocuments({ mode, env }: Running): Promise<Found[]> {
  const { DATA_DIR = '', MONGODB_URI = '', NAMESPACE = '' } = env;
  return mode === 'embedded' ? inFiles(DATA_DIR) : inDatabases(MONGODB_URI, NAMESPACE);
}

const withoutBytes = (collection: string, document: Record<string, unknown>): Record<string, unknown> =>
  collection === 'payloads' ? { ...document, body: null } : document;

function inFiles(folder: string): Found[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  return files.flatMap((file) => {
    const database = new Database(join(folder, file), { readonly: true });
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%doc TEXT%'")
      .all() as { name: string }[];
    const found = tables.flatMap(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[];
      return rows.map((row): Found => {
        const doc = withoutBytes(name, JSON.parse(plainText(row.doc as StoredText)));
        return [`${file} ${name}`, JSON.stringify({ ...row, doc })];
      });
    });
    database.close();
    return found;
  });
}

async function inDatabases(uri: string, namespace: string): Promise<Found[]> {
  const client = await MongoClient.connect(uri);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const found: Found[] = [];
  for (const { name } of databases.filter((database) => database.name.startsWith(namespace)))
    for (const collection of await client.db(name).collections()) {
      const documents = await collection.find().toArray();
      const { collectionName } = collection;
      for (const document of documents)
        found.push([`${name} ${collectionName}`, JSON.stringify(withoutBytes(collectionName, document))]);
    }
  await client.close();
  return found;
}
