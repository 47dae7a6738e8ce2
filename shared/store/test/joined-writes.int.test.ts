import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Store, sqliteStore } from '../src';

type Numbered = { readonly _id: number };

describe('writes that are asked for without waiting in between', () => {
  const directory = mkdtempSync(join(tmpdir(), 'joined-'));
  let store: Store;

  beforeAll(async () => {
    store = await sqliteStore({ file: join(directory, 'store.sqlite') });
  });
  afterAll(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  test.each([1, 40])('are one transaction for everybody who reads the file: %i documents each', async (size) => {
    expect(store.joinsWrites).toBe(true);
    const [first, second] = [`first${size}`, `second${size}`];
    const [one, other] = [await store.collection<Numbered>(first), await store.collection<Numbered>(second)];
    await Promise.all([one.insertOne({ _id: 0 }), other.insertOne({ _id: 0 })]);
    const reader = new Database(join(directory, 'store.sqlite'), { readonly: true });
    const counts = reader.prepare(`SELECT (SELECT count(*) FROM ${first}) a, (SELECT count(*) FROM ${second}) b`);
    const seen = new Set<number>();
    const uneven: unknown[] = [];
    const look = (): void => {
      const { a, b } = counts.get() as { a: number; b: number };
      seen.add(a);
      if (a !== b) uneven.push([a, b]);
    };
    for (let round = 0; round < 60; round += 1) {
      const documents = Array.from({ length: size }, (_, index) => ({ _id: 1 + round * size + index }));
      const writes = Promise.all([one.insertMany(documents), other.insertMany(documents)]);
      let under = true;
      const settled = writes.finally(() => {
        under = false;
      });
      while (under) {
        look();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await settled;
    }
    reader.close();
    expect(uneven).toEqual([]);
    expect(seen.size).toBeGreaterThan(10);
  });
});
