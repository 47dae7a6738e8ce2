import { randomBytes } from 'node:crypto';
import { rejection } from '../src/conformance';
import { StoreUnavailableError } from '../src/errors';
import { mongoStore } from '../src/mongo';
import type { Store } from '../src/port';
import { isUnavailable } from '../src/unavailable';
import { startProxy, type TcpProxy } from './proxy';

const uri = process.env.MONGODB_URI;
const onMongo = uri === undefined ? test.skip : test;

type Row = { readonly _id: string };

async function behindProxy(): Promise<{ proxy: TcpProxy; open: () => Promise<Store> }> {
  const { hostname, port } = new URL(String(uri));
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
      if (!isUnavailable(error)) throw error;
    }
  }
}

for (const outage of ['silent', 'closed'] as const) {
  onMongo(`a server that is ${outage} is unavailable within 3 s, and comes back by itself`, async () => {
    const { proxy, open } = await behindProxy();
    const store = await open();
    try {
      const rows = await store.collection<Row>('rows');
      await rows.insertOne({ _id: 'before' });
      await proxy.become(outage);
      const attempts = [
        rows.insertOne({ _id: 'during' }),
        rows.find({}).toArray(),
        rows.countDocuments({}),
        rows.bulkWrite([{ deleteOne: { filter: { _id: 'before' } } }]),
      ];
      const outcomes = await Promise.all(attempts.map(timed));
      expect(outcomes.map(({ error, took }) => isUnavailable(error) && took < 3000)).toEqual([true, true, true, true]);
      const later = await timed(rows.findOne({ _id: 'before' }));
      expect([isUnavailable(later.error), later.took < 3000]).toEqual([true, true]);
      expect(await store.check(300)).toEqual({ ok: false, reason: expect.stringContaining('MongoDB') });
      await proxy.become('open');
      await untilDone(() => rows.updateOne({ _id: 'after' }, { $set: {} }, { upsert: true }));
      expect(await store.check(5000)).toEqual({ ok: true });
    } finally {
      await store.close();
      await proxy.become('closed');
    }
  });

  onMongo(`connecting to a server that is ${outage} is refused within 3 s`, async () => {
    const { proxy, open } = await behindProxy();
    await proxy.become(outage);
    const { error, took } = await timed(open());
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(took).toBeLessThan(3000);
    await proxy.become('closed');
  });
}
