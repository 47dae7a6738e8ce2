import { randomBytes } from 'node:crypto';
import { type NatsBusOptions, natsBus } from '@order-automation/bus/nats';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { type BusUnderTest, busConformance, deadlineConformance, givingUpLog } from './conformance';
import { manyNews } from './conformance/data';
import { natsForTests } from './nats-server';
import { startOtherSide } from './start-other-side';

const nats = natsForTests();
const lane = 'missing' in nats ? describe.skip : describe;

lane('missing' in nats ? `natsBus (nats: ${nats.missing})` : 'natsBus [nats]', () => {
  let uri = '';
  let close = async (): Promise<void> => undefined;
  let admin: NatsConnection;
  let jsm: JetStreamManager;

  beforeAll(async () => {
    if ('missing' in nats) return;
    ({ uri, close } = await nats.open());
    admin = await connect({ servers: uri });
    jsm = await admin.jetstreamManager();
  });
  afterAll(async () => {
    await admin?.close();
    await close();
  });

  const settings = (streamPrefix: string): NatsBusOptions => ({
    servers: uri,
    name: 'conformance',
    profile: 'development',
    streamPrefix,
    backoff: { first: 20 },
    ackWait: 600,
  });

  const fresh = (): string => `test-${randomBytes(6).toString('hex')}`;

  const removeStreams = async (prefix: string): Promise<void> => {
    for (const name of await jsm.streams.names().next())
      if (name.startsWith(`${prefix}-`)) await jsm.streams.delete(name);
  };

  busConformance('natsBus', async (): Promise<BusUnderTest> => {
    const prefix = fresh();
    const { log, givenUp } = givingUpLog();
    const [bus, other] = [await natsBus({ ...settings(prefix), log }), await natsBus(settings(prefix))];
    return {
      bus,
      other,
      inject: async (type, text) => {
        admin.publish(`${prefix}.${type}`, text);
        await admin.flush();
      },
      givenUp,
      dispose: async () => {
        await Promise.all([bus.close(), other.close()]);
        await removeStreams(prefix);
      },
    };
  });

  deadlineConformance('natsBus', async () => {
    const prefix = fresh();
    const { block, end } = await startOtherSide({ uri, prefix });
    const bus = await natsBus(settings(prefix));
    return {
      bus,
      block,
      dispose: async () => {
        await bus.close();
        await end();
        await removeStreams(prefix);
      },
    };
  });

  test('a responder of the same bus answers a request, which the server does not see; once it has left, that of another bus', async () => {
    const prefix = fresh();
    const [bus, other] = [await natsBus(settings(prefix)), await natsBus(settings(prefix))];
    const seen: string[] = [];
    const answering = (name: string) => async () => {
      seen.push(name);
      return { orders: [] };
    };
    admin.subscribe(`${prefix}.shop.order.get.v1`, { callback: () => seen.push('server') });
    await admin.flush();
    await other.respond('shop.order.get.v1', answering('other'));
    const own = await bus.respond('shop.order.get.v1', answering('own'));
    for (let count = 0; count < 10; count += 1) await bus.request('shop.order.get.v1', { ids: [1] });
    await admin.flush();
    expect(seen).toEqual(Array(10).fill('own'));
    await own.close();
    await bus.request('shop.order.get.v1', { ids: [1] });
    await admin.flush();
    expect(seen.slice(10).sort()).toEqual(['other', 'server']);
    await Promise.all([bus.close(), other.close()]);
    await removeStreams(prefix);
  });

  test('services that start together make the same streams, and a later start changes nothing', async () => {
    const prefix = fresh();
    const buses = await Promise.all(Array.from({ length: 6 }, () => natsBus(settings(prefix))));
    buses.push(await natsBus(settings(prefix)));
    const { config } = await jsm.streams.info(`${prefix}-rules-events`);
    expect(config).toMatchObject({ storage: 'file', num_replicas: 1, duplicate_window: 100e6, retention: 'limits' });
    expect(config.subjects).toEqual([`${prefix}.rules.changed.v1`]);
    await Promise.all(buses.map((bus) => bus.close()));
    await removeStreams(prefix);
  });

  test('a group is one durable consumer with explicit acknowledgement, delivered until it is handled', async () => {
    const prefix = fresh();
    const bus = await natsBus(settings(prefix));
    const join = () => bus.subscribe('rules.changed.v1', 'evaluation', async () => undefined);
    await Promise.all([join(), join(), join()]);
    const consumers = await jsm.consumers.list(`${prefix}-rules-events`).next();
    expect(consumers).toHaveLength(1);
    expect(consumers[0]?.config).toMatchObject({
      durable_name: 'rules_changed_v1--evaluation',
      filter_subject: `${prefix}.rules.changed.v1`,
      ack_policy: 'explicit',
      max_deliver: -1,
    });
    await bus.close();
    await removeStreams(prefix);
  });

  test('subjects of a newer version of the service are kept', async () => {
    const prefix = fresh();
    await jsm.streams.add({ name: `${prefix}-rules-events`, subjects: [`${prefix}.rules.changed.v2`] });
    const bus = await natsBus(settings(prefix));
    const { config } = await jsm.streams.info(`${prefix}-rules-events`);
    expect([...config.subjects].sort()).toEqual([`${prefix}.rules.changed.v1`, `${prefix}.rules.changed.v2`]);
    await bus.close();
    await removeStreams(prefix);
  });

  test('a stream has a size, also one of an earlier version: past it the oldest is discarded and nothing is refused', async () => {
    const prefix = fresh();
    const [name, subjects] = [`${prefix}-rules-events`, [`${prefix}.rules.changed.v1`]];
    await jsm.streams.add({ name, subjects, max_bytes: -1 });
    const bus = await natsBus({ ...settings(prefix), streamBytes: 100_000 });
    for (let times = 0; times < 40; times += 1) await bus.publish(manyNews(64));
    const { config, state } = await jsm.streams.info(name);
    expect(config).toMatchObject({ max_bytes: 100_000, discard: 'old' });
    expect(state.bytes).toBeLessThanOrEqual(100_000);
    expect(state.first_seq).toBeGreaterThan(1);
    await bus.close();
    await removeStreams(prefix);
  });

  test('production refuses a server that cannot keep the promise, and names each setting', async () => {
    const prefix = fresh();
    const refused = natsBus({ ...settings(prefix), profile: 'production', replicas: 1 });
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('replicas is 1'),
    });
  });

  test('a name that cannot be part of a subject is refused', async () => {
    await expect(natsBus(settings('two words'))).rejects.toMatchObject({ code: 'invalid_message' });
    const bus = await natsBus(settings(fresh()));
    await expect(bus.subscribe('rules.changed.v1', 'a.*', async () => undefined)).rejects.toMatchObject({
      code: 'invalid_message',
    });
    await bus.close();
  });
});
