import { randomBytes } from 'node:crypto';
import { retryOf } from '@order-automation/base';
import { describeMongodb } from '@order-automation/testing';
import { MongoClient } from 'mongodb';
import { StoreUnavailableError } from '../src/errors';
import { mongoStore } from '../src/mongo/mongo';
import type { Store } from '../src/port';
import { rejection } from './conformance/subject';
import { startProxy, type TcpProxy } from './proxy';

type Row = { readonly _id: string; readonly n?: number };

const count = 50_000;

async function manyRows(uri: string) {
  const database = `store_test_${randomBytes(6).toString('hex')}`;
  const store = await mongoStore({ uri, database, timeoutMS: 30_000 });
  const rows = await store.collection<Row>('rows');
  for (let from = 0; from < count; from += 10_000)
    await rows.insertMany(Array.from({ length: 10_000 }, (_, at) => ({ _id: `row-${from + at}`, n: from + at })));
  const close = async (): Promise<void> => {
    await rows.deleteMany({});
    await store.close();
  };
  return { database, rows, close };
}

async function behindProxy(uri: string): Promise<{ proxy: TcpProxy; open: () => Promise<Store> }> {
  const { hostname, port } = new URL(uri);
  const proxy = await startProxy(hostname, Number(port || 27017));
  const database = `store_test_${randomBytes(6).toString('hex')}`;
  const through = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
  return { proxy, open: () => mongoStore({ uri: through, database }) };
}

async function timed(work: Promise<unknown>): Promise<{ error: unknown; took: number }> {
  const start = performance.now();
  const error = await rejection(work);
  return { error, took: performance.now() - start };
}

/** Tries until it works; the test's own time limit ends it otherwise. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (retryOf(error) !== 'later') throw error;
    }
  }
}

async function isSecantus(uri: string): Promise<boolean> {
  const client = await MongoClient.connect(uri);
  const build = await client.db('admin').command({ buildInfo: 1 });
  await client.close();
  return 'secantusVersion' in build;
}

describeMongodb('outage', (uri) => {
  for (const outage of ['silent', 'closed'] as const) {
    test(`a server that is ${outage} is unavailable within 3 s, and comes back by itself`, async () => {
      const { proxy, open } = await behindProxy(uri);
      const store = await open();
      try {
        const rows = await store.collection<Row>('rows');
        await rows.insertOne({ _id: 'before' });
        await proxy.become(outage);
        const attempts = [
          rows.insertOne({ _id: 'during' }),
          rows.find({}).toArray(),
          rows.countDocuments({}),
          rows.deleteMany({ _id: 'before' }),
        ];
        const outcomes = await Promise.all(attempts.map(timed));
        expect(outcomes.map(({ error, took }) => error instanceof StoreUnavailableError && took < 6000)).toEqual([
          true,
          true,
          true,
          true,
        ]);
        const later = await timed(rows.findOne({ _id: 'before' }));
        expect([later.error instanceof StoreUnavailableError, later.took < 6000]).toEqual([true, true]);
        expect(await store.check(300)).toEqual({ ok: false, reason: expect.stringContaining('MongoDB') });
        await proxy.become('open');
        await untilDone(() => rows.deleteMany({ _id: 'after' }));
        expect(await store.check(5000)).toEqual({ ok: true });
      } finally {
        await store.close();
        await proxy.become('closed');
      }
    });

    test(`connecting to a server that is ${outage} is refused within 3 s`, async () => {
      const { proxy, open } = await behindProxy(uri);
      await proxy.become(outage);
      const { error, took } = await timed(open());
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(took).toBeLessThan(6000);
      await proxy.become('closed');
    });
  }

  test('a call that timed out does not go on in the database', async () => {
    const { database, rows, close } = await manyRows(uri);
    const hasty = await mongoStore({ uri, database, timeoutMS: 40 });
    try {
      const late = await hasty.collection<Row>('rows');
      const error = await rejection(late.updateMany({ n: { $gte: 0 } }, { $inc: { n: count } }));
      expect(retryOf(error)).toBe('later');
      const changed = () => rows.countDocuments({ n: { $gte: count } });
      const atOnce = await changed();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      // MongoDB ends an update at its `maxTimeMS` (mongodb.com/docs/manual/reference/method/cursor.maxTimeMS); SecantusDB may end one that it has begun.
      expect((await isSecantus(uri)) ? [atOnce, count] : [atOnce]).toContain(await changed());
      expect(atOnce).toBeLessThan(count);
    } finally {
      await hasty.close();
      await close();
    }
  });
});
