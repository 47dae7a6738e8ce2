import { mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, message } from '@order-automation/contracts';
import { MongoClient } from 'mongodb';
import { buildEvent, describeLanes, describeMongodb, dropNamespace, freshNamespace, type LaneDeps, waitFor } from '.';
import { embeddedLane } from './lane';

type Note = { _id: string; text: string };

const eventMessage = (id: string): Message<'intake.event-received.v1'> =>
  message(
    'intake.event-received.v1',
    { process_id: 'proc_1', event: buildEvent({ id }), webhook: { connection: null, body_bytes: 2, metadata: {} } },
    { id, now: Date.now() },
  );

describeLanes('a lane', (lane) => {
  let deps: LaneDeps;
  beforeAll(async () => {
    deps = await lane.deps();
  });

  test('gives a bus that delivers and a store that keeps', async () => {
    const got: string[] = [];
    await deps.bus.subscribe('intake.event-received.v1', 'test', async (messages) => {
      got.push(...messages.map(({ id }) => id));
    });
    await deps.bus.publish(eventMessage('evt_1'));
    await waitFor(() => got.includes('evt_1'), { describe: 'the message' });
    const notes = await deps.store.collection<Note>('notes');
    await notes.insertOne({ _id: 'a', text: 'kept' });
    expect(await notes.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'kept' });
  });

  test('one database name is one database, no name is a fresh one', async () => {
    const [first, second, other] = [await lane.store('shared'), await lane.store('shared'), await lane.store()];
    const notes = await Promise.all([first, second, other].map((store) => store.collection<Note>('notes')));
    await notes[0]?.insertOne({ _id: 'b', text: 'shared' });
    await waitFor(() => notes[1]?.findOne({ _id: 'b' }), { describe: 'the note over the other connection' });
    expect(await notes[2]?.countDocuments({})).toBe(0);
  });

  test('services on one bus have databases of their own', async () => {
    const { bus } = deps;
    const one = await lane.deps({ bus });
    const two = await lane.deps({ bus });
    expect(one.bus).toBe(bus);
    expect(one.store).not.toBe(two.store);
    await one.close();
    expect(bus.status()).toEqual({ ok: true });
  });

  test('the clock runs until it is set', () => {
    expect(Math.abs(deps.clock.now() - Date.now())).toBeLessThan(1000);
    deps.clock.set(1000);
    deps.clock.advance(5);
    expect(deps.clock.now()).toBe(1005);
  });
});

test('the directory of the embedded lane is gone afterwards', async () => {
  const root = await mkdtemp(join(tmpdir(), 'order-automation-test-'));
  const { lane, tidy } = embeddedLane(root);
  await lane.deps();
  expect(await readdir(root)).toHaveLength(1);
  await tidy();
  expect(await readdir(root)).toEqual([]);
  await rmdir(root);
});

describeMongodb('dropping a namespace', (uri) => {
  test('removes its databases and no other', async () => {
    const client = await MongoClient.connect(uri);
    const [mine, other] = [freshNamespace(), freshNamespace()];
    const names = async () =>
      (await client.db('admin').admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name);
    for (const name of [`${mine}_a`, `${mine}_b`, `${other}_a`])
      await client.db(name).collection<Note>('x').insertOne({ _id: 'x', text: '' });
    await dropNamespace(mine);
    expect((await names()).filter((name) => name.startsWith(mine) || name.startsWith(other))).toEqual([`${other}_a`]);
    await dropNamespace(other);
    await client.close();
  });
});
