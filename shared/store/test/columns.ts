import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Documents, IndexDescription, Store, Value } from '../src/port';
import { columnNamed, contentSql } from '../src/sqlite/columns';
import { docSql } from '../src/sqlite/compression';
import { addFunctions } from '../src/sqlite/connection';
import { sqliteStore } from '../src/sqlite/store';
import { inDirectory } from './directory';
import { explainable } from './explain';

type Field = 'a' | 'b' | 'D' | 'at' | 'count' | 'due' | 'key' | 'meta' | 'open' | 'order' | 'other' | 'value' | 'Value';

export type Item = { readonly _id: string | number; readonly list?: number[] } & { readonly [F in Field]?: Value };

export const indexes: readonly IndexDescription[] = [
  { key: { key: 1 }, name: 'key', unique: true, sparse: true },
  { key: { 'order.status': 1, _id: -1 }, name: 'status' },
  { key: { 'order.at': -1 }, name: 'at', sparse: true },
  { key: { due: 1 }, name: 'due', partialFilterExpression: { open: true, 'meta.kind': { $exists: true } } },
  { key: { value: 1, Value: 1 }, name: 'both' },
];

const inline = async (file: string): Promise<Store> =>
  explainable(await sqliteStore({ file, thread: 'inline' }), { file });

/** Works on the file with the collection `items` in it, then closes the store. */
export async function opened<V>(
  file: string,
  declared: readonly IndexDescription[],
  work: (items: Documents<Item>, store: Store) => Promise<V>,
): Promise<V> {
  const store = await inline(file);
  try {
    return await work(await store.collection<Item>('items', declared), store);
  } finally {
    await store.close();
  }
}

export function raw<V>(file: string, work: (database: Database.Database) => V): V {
  const database = new Database(file);
  addFunctions(database);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** How many columns the table has; throws unless each says of every row what the document says, and the file is sound. */
export function trueColumns(file: string): number {
  return raw(file, (database) => {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const names = database.prepare(`SELECT name FROM pragma_table_info('items')`).pluck().all() as string[];
    const columns = names.flatMap((name) => columnNamed(name) ?? []);
    for (const [index, column] of columns.entries()) {
      const name = `"${names.filter((each) => columnNamed(each) !== undefined)[index]}"`;
      const content = contentSql(column, docSql);
      const wrong = `${name} IS NOT ${content} OR typeof(${name}) <> typeof(${content})`;
      expect([name, database.prepare(`SELECT doc FROM items WHERE ${wrong}`).all()]).toEqual([name, []]);
    }
    return columns.length;
  });
}

export const inFile = (work: (file: string) => Promise<void>): Promise<void> =>
  inDirectory((directory) => work(join(directory, 'store.db')));
