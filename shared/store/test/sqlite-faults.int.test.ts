import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { isDuplicateKey, StoreUnavailableError } from '../src/errors';
import type { Documents, Store } from '../src/port';
import { sqliteHost } from '../src/sqlite/host';
import { type SqliteStoreOptions, sqliteStore } from '../src/sqlite/store';
import { rejection } from './conformance/subject';
import { inDirectory } from './directory';

type Row = {
  readonly _id: string;
  n?: number;
  text?: string;
  list?: number[];
  nested?: { a?: number; list?: number[] };
};

async function withStore(
  work: (rows: Documents<Row>, store: Store, file: string) => Promise<void>,
  options: Partial<SqliteStoreOptions> = {},
): Promise<void> {
  await inDirectory(async (directory) => {
    const file = join(directory, 'store.db');
    const store = await sqliteStore({ file, thread: 'inline', ...options });
    try {
      await work(await store.collection<Row>('rows', [{ key: { n: 1, 'nested.a': 1 }, name: 'n' }]), store, file);
    } finally {
      await store.close();
    }
  });
}

const unsupported = expect.objectContaining({ name: 'UnsupportedQueryError' });
const unavailable = expect.any(StoreUnavailableError);

test('what is outside the subset is refused loudly', () =>
  withStore(async (rows, store) => {
    const loose = rows as unknown as Documents<{ readonly _id: string; [key: string]: unknown }>;
    await rows.insertOne({ _id: 'a', n: 1, nested: { a: 1 } });
    await rows.insertOne({ _id: 'list', list: [1] });
    const attempts: Promise<unknown>[] = [
      loose.find({ list: 1 } as never).toArray(),
      loose.countDocuments({ 'list.x': { $exists: true } } as never),
      loose.find({ a: { $regex: 'x' } } as never).toArray(),
      loose.find({ a: undefined } as never).toArray(),
      loose.find({}).skip(-1).toArray(),
      loose.find({}).limit(1.5).toArray(),
      loose.find({ "a') OR 1=1 --": 1 } as never).toArray(),
      loose
        .find({})
        .sort({ a: 'asc' } as never)
        .toArray(),
      loose.findOne({}, { projection: { text: 0, n: 1 } } as never),
      loose.updateOne({ _id: 'a' }, { n: 2 } as never),
      loose.updateOne({ _id: 'a' }, { $rename: { n: 'm' } } as never),
      loose.updateOne({ _id: 'a' }, { $push: { text: 1 } } as never),
      loose.insertOne({ _id: { $ne: 1 } } as never),
      loose.insertOne({ _id: 7.5 } as never),
      loose.insertOne({ n: 7 } as never),
      loose.insertOne({ _id: 'b', bytes: new Uint8Array(1) }),
      loose.bulkWrite([{ replaceOne: { filter: {}, replacement: {} } }] as never),
      store.collection('rows; DROP TABLE rows'),
      store.collection('sqlite_master'),
      store.collection('_check'),
    ];
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value))).toEqual(
      attempts.map(() => unsupported),
    );
    expect(await rows.find({ _id: { $ne: 'list' } }).toArray()).toEqual([{ _id: 'a', n: 1, nested: { a: 1 } }]);
  }));

test('an indexed path takes neither arrays nor objects, by no way in', () =>
  withStore(async (rows) => {
    await rows.insertOne({ _id: 'a', n: 1, nested: { a: 1 } });
    const attempts: Promise<unknown>[] = [
      rows.insertOne({ _id: 'b', n: [1] as never }),
      rows.insertMany([{ _id: 'b', n: {} as never }]),
      rows.insertOne({ _id: 'b', nested: [{ a: 1 }] as never }),
      rows.updateOne({ _id: 'a' }, { $set: { n: [1] as never } }),
      rows.updateOne({ _id: 'a' }, { $set: { nested: { a: [1] as never } } }),
      rows.updateMany({}, { $set: { 'nested.a': [] } }),
      rows.updateMany({}, { $set: { 'n.below': 1 } }),
    ];
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      attempts.map(() => unsupported),
    );
    expect(await rows.find({}).toArray()).toEqual([{ _id: 'a', n: 1, nested: { a: 1 } }]);
  }));

test('a full file fails the whole group, and the next one when there is room again', () =>
  withStore(
    async (rows, store) => {
      await rows.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: `first${n}`, n })));
      const group = Array.from({ length: 50 }, (_, n) => rows.insertOne({ _id: `big${n}`, text: 'x'.repeat(20_000) }));
      const outcomes = await Promise.allSettled(group);
      expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
      expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
        group.map(() => unavailable),
      );
      const said = outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason.message));
      expect(new Set(said)).toEqual(new Set(['The disk of the database is full (SQLITE_FULL).']));
      expect(await rows.countDocuments({})).toBe(20);
      await rows.deleteMany({ n: { $lt: 10 } });
      await rows.insertOne({ _id: 'again', text: 'room' });
      expect(await rows.countDocuments({})).toBe(11);
      expect(await store.check(5000)).toEqual({ ok: true });
    },
    // What is compressed would fit.
    { maxPages: 30, compressFrom: 100_000 },
  ));

test('a file that another process has locked is unavailable until it is let go', () =>
  withStore(
    async (rows, store, file) => {
      const other = new Database(file);
      other.exec('BEGIN IMMEDIATE');
      expect(await rejection(rows.insertOne({ _id: 'a' }))).toEqual(unavailable);
      expect(await store.check(5000)).toEqual({ ok: false, reason: expect.stringContaining('SQLITE_BUSY') });
      expect(await rows.countDocuments({})).toBe(0);
      other.exec('COMMIT');
      other.close();
      await rows.insertOne({ _id: 'a' });
      expect(await rows.countDocuments({})).toBe(1);
    },
    { busyTimeout: 20 },
  ));

test('a file that cannot be opened is unavailable', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'missing', 'store.db');
    for (const thread of ['inline', 'worker'] as const)
      expect(await rejection(sqliteStore({ file, thread }))).toEqual(unavailable);
  });
});

test('a damaged file is named, with what to do', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'audit.sqlite');
    writeFileSync(file, 'this is no database'.repeat(100));
    for (const thread of ['inline', 'worker'] as const)
      expect(String(await rejection(sqliteStore({ file, thread })))).toMatch(
        /audit\.sqlite is damaged \(SQLITE_NOTADB\): restore the newest backup/,
      );
  });
});

// docs/operations/alerts.md, "Not Ready": the part and the reason are named.
test('a page that cannot be read makes the store not ready, although the rest of the file can be written', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'audit.sqlite');
    const filled = await sqliteStore({ file, thread: 'inline' });
    const before = await filled.collection<Row>('rows');
    for (let n = 0; n < 400; n += 1)
      await before.insertOne({ _id: `k${n}`, n, text: randomBytes(400).toString('hex') });
    await filled.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, bytes.length / 2, bytes.length - 4096);
    writeFileSync(file, bytes);
    const store = await sqliteStore({ file, thread: 'worker' });
    const rows = await store.collection<Row>('rows');
    expect(await store.check(5000)).toEqual({ ok: true });
    expect(await rejection(rows.find({}).toArray())).toEqual(unavailable);
    const reason = expect.stringMatching(/audit\.sqlite is damaged \(SQLITE_CORRUPT\w*\): restore the newest backup/);
    expect(await store.check(5000)).toEqual({ ok: false, reason });
    await store.close();
  });
});

test('a file that cannot have a write-ahead log is refused', async () => {
  const error = await rejection(sqliteStore({ file: ':memory:', thread: 'inline' }));
  expect(error).toEqual(unavailable);
  expect((error as Error).message).toBe(
    'The database file cannot be used: its journal_mode is memory and must be wal.',
  );
});

test('one that fails leaves the others of its group alone', () =>
  withStore(async (rows) => {
    const outcomes = await Promise.allSettled([
      rows.insertOne({ _id: 'a', n: 1 }),
      rows.insertOne({ _id: 'a', n: 2 }),
      rows.updateOne({ _id: 'a' }, { $inc: { 'n.x': 1 } }),
      rows.updateOne({ _id: 'a' }, { $inc: { n: 5 } }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(isDuplicateKey((outcomes[1] as PromiseRejectedResult).reason)).toBe(true);
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 6 });
  }));

test('several stores share one thread, and one may close before the others', async () => {
  await inDirectory(async (directory) => {
    const host = sqliteHost({ thread: 'worker' });
    const stores = await Promise.all(['a', 'b', 'c'].map((name) => sqliteStore({ file: join(directory, name), host })));
    const rows = await Promise.all(stores.map((store) => store.collection<Row>('rows')));
    await Promise.all(rows.map((documents, n) => documents.insertOne({ _id: 'x', n })));
    await stores[0]?.close();
    expect(await rejection(rows[0]?.findOne({}) ?? Promise.resolve())).toEqual(unavailable);
    expect(await rows[2]?.findOne({})).toEqual({ _id: 'x', n: 2 });
    await Promise.all(stores.map((store) => store.close()));
    await host.close();
    expect(await stores[1]?.check()).toEqual({ ok: false, reason: 'The store is closed.' });
  });
});

test('writes in flight when the store closes are done', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'store.db');
    const store = await sqliteStore({ file, thread: 'worker' });
    const rows = await store.collection<Row>('rows');
    const writes = Array.from({ length: 100 }, (_, n) => rows.insertOne({ _id: `k${n}` }));
    await Promise.all([store.close(), store.close(), ...writes]);
    const again = await sqliteStore({ file, thread: 'inline' });
    expect(await (await again.collection<Row>('rows')).countDocuments({})).toBe(100);
    await again.close();
  });
});

test('an index that is declared otherwise is rebuilt, one that is declared elsewhere still holds', () =>
  withStore(async (rows, store) => {
    await rows.insertMany([
      { _id: 'a', text: 'x' },
      { _id: 'b', text: 'x' },
    ]);
    await store.collection<Row>('rows', [{ key: { text: 1 }, name: 'text' }]);
    const unique = store.collection<Row>('rows', [{ key: { text: 1 }, name: 'text', unique: true }]);
    expect(isDuplicateKey(await rejection(unique))).toBe(true);
    await rows.deleteMany({ _id: 'b' });
    await store.collection<Row>('rows', [{ key: { text: 1 }, name: 'text', unique: true }]);
    const bare = await store.collection<Row>('rows');
    expect(isDuplicateKey(await rejection(bare.insertOne({ _id: 'c', text: 'x' })))).toBe(true);
    expect(await rejection(bare.insertOne({ _id: 'c', n: [1] as never }))).toEqual(unsupported);
  }));

test('when its thread dies, the process ends and says why; what was acknowledged is there', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'store.db');
    const program = ['--require', require.resolve('tsx/cjs'), join(__dirname, 'thread-death.ts'), file];
    const ended = await rejection(promisify(execFile)(process.execPath, program));
    const { code, stdout, stderr } = ended as { code: number; stdout: string; stderr: string };
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('The database thread has ended');
    const acknowledged = stdout.trim().split('\n');
    const store = await sqliteStore({ file, thread: 'inline' });
    const rows = await store.collection<Row>('rows');
    expect(acknowledged[0]).toBe('row0');
    expect(await rows.countDocuments({ _id: { $in: acknowledged } })).toBe(acknowledged.length);
    await store.close();
  });
});
