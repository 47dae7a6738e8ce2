import type { Bus } from '@order-automation/bus';
import { type NatsBusOptions, natsBus } from '@order-automation/bus/nats';
import { connect, headers, type NatsConnection } from 'nats';
import { eventually, gate, givingUpLog, manyNews, news } from './conformance/data';
import { cannotStart, type OwnServer, ownServer } from './nats-server';
import { proxyTo } from './proxy';

const title = 'natsBus when things break';
const lane = cannotStart ? describe.skip : describe;

lane(cannotStart ? `${title} (nats: ${cannotStart})` : `${title} [nats]`, () => {
  let server: OwnServer;
  const open: Bus[] = [];
  const connections: NatsConnection[] = [];

  const start = async (options: Partial<NatsBusOptions> = {}): Promise<Bus> => {
    const defaults = { servers: server.uri, name: 'test', profile: 'development', backoff: { first: 20 } } as const;
    const bus = await natsBus({ ...defaults, ...options });
    open.push(bus);
    return bus;
  };
  const admin = async (): Promise<NatsConnection> => {
    const connection = await connect({ servers: server.uri });
    connections.push(connection);
    return connection;
  };
  /** A bus with one group that remembers what it got. */
  const withReader = async (options: Partial<NatsBusOptions> = {}): Promise<{ bus: Bus; seen: number[] }> => {
    const bus = await start(options);
    const seen: number[] = [];
    const reader = async (all: readonly { data: { rule_id: number } }[]) =>
      void seen.push(...all.map((m) => m.data.rule_id));
    await bus.subscribe('rules.changed.v1', 'readers', reader, { maxBatch: 10 });
    await bus.publish(news(1));
    await eventually(() => seen.includes(1), 'the first message');
    return { bus, seen };
  };
  /** Publishes until it is taken, as a relay does. */
  const publishAgain = async (bus: Bus, rule: number, timeout = 10_000): Promise<void> => {
    const message = news(rule);
    const deadline = Date.now() + timeout;
    for (;;) {
      try {
        return await bus.publish(message);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };

  beforeEach(async () => {
    server = await ownServer();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.close()));
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await server.remove();
  });

  test('no server at the start: rejects as unavailable, with the address; with the server there it starts', async () => {
    await server.kill();
    await expect(start()).rejects.toMatchObject({
      name: 'BusError',
      code: 'unavailable',
      message: expect.stringContaining('127.0.0.1'),
    });
    await server.start();
    expect((await start()).status()).toEqual({ ok: true });
  });

  test('server killed: everything is refused at once and the status says why; restarted: all handlers are back', async () => {
    const { bus, seen } = await withReader();
    const other = await start();
    await other.respond('shop.order.get.v1', async () => ({ orders: [] }));
    await server.kill();
    await eventually(() => !bus.status().ok, 'the status');
    expect(bus.status()).toMatchObject({ reason: expect.stringContaining('not connected') });
    const started = performance.now();
    const unavailable = { name: 'BusError', code: 'unavailable' };
    await expect(bus.request('shop.order.get.v1', { ids: [1] })).rejects.toMatchObject(unavailable);
    await expect(bus.publish(news(2))).rejects.toMatchObject(unavailable);
    expect(performance.now() - started).toBeLessThan(2_000);
    await server.start();
    await eventually(() => bus.status().ok && other.status().ok, 'the connections');
    await publishAgain(bus, 3);
    await eventually(() => seen.includes(3), 'the message after the restart', 4_000);
    await expect(bus.request('shop.order.get.v1', { ids: [1] })).resolves.toEqual({ orders: [] });
  });

  test('requests in flight fail when the connection goes, and do not wait for their time-out', async () => {
    const [bus, other] = [await start(), await start()];
    const hold = gate();
    const asked = gate();
    await other.respond('shop.order.get.v1', async () => {
      asked.open();
      await hold.opened;
      return { orders: [] };
    });
    const request = bus.request('shop.order.get.v1', { ids: [1] }, { timeout: 20_000 });
    const outcome = request.catch((error: unknown) => error);
    await asked.opened;
    await server.kill();
    expect(await outcome).toMatchObject({ code: 'unavailable' });
    hold.open();
  });

  test('killed and restarted again and again under load: what was acknowledged is delivered', async () => {
    const { bus, seen } = await withReader();
    const taken = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const messages = manyNews(400).map((message, index) => ({
        ...message,
        data: { ...message.data, rule_id: 1000 * (round + 1) + index },
      }));
      const publishing = messages.map((message) =>
        bus.publish(message).then(
          () => taken.add(message.data.rule_id),
          () => undefined,
        ),
      );
      await eventually(() => taken.size > 400 * round, 'some to be taken');
      await server.kill();
      await Promise.all(publishing);
      await server.start();
      await eventually(() => bus.status().ok, 'the connection');
    }
    expect(taken.size).toBeGreaterThan(0);
    await eventually(() => [...taken].every((rule) => seen.includes(rule)), 'all that was acknowledged', 20_000);
  });

  test('streams deleted: publishing and the subscription come back within seconds', async () => {
    const { bus, seen } = await withReader();
    const jsm = await (await admin()).jetstreamManager();
    for (const name of await jsm.streams.names().next()) await jsm.streams.delete(name);
    await bus.publish(news(2));
    await eventually(() => seen.includes(2), 'the message after the deletion', 4_000);
  });

  test('the consumer deleted: it is made again, and what was published meanwhile is delivered', async () => {
    const { bus, seen } = await withReader();
    const jsm = await (await admin()).jetstreamManager();
    await Promise.all([jsm.consumers.delete('rules-events', 'rules_changed_v1--readers'), bus.publish(news(2))]);
    await eventually(() => seen.includes(2), 'the message around the deletion', 4_000);
  });

  test('storage wiped: streams and consumers are made again, by services that only publish too', async () => {
    const { bus, seen } = await withReader();
    const publisher = await start();
    await server.kill();
    await server.wipe();
    await server.start();
    await eventually(() => bus.status().ok && publisher.status().ok, 'the connections');
    await publishAgain(publisher, 2);
    await eventually(() => seen.includes(2), 'the message after the wipe', 4_000);
  });

  test('storage removed under a running server: all is back once the server is', async () => {
    const { bus, seen } = await withReader();
    await server.wipe();
    await bus.publish(news(2)).catch(() => undefined);
    await server.kill();
    await server.start();
    await publishAgain(bus, 3);
    await eventually(() => seen.includes(3), 'the message after the loss', 5_000);
  });

  test('an empty message that claims to be a status of the server is given up like any other rubbish', async () => {
    const { log, givenUp } = givingUpLog();
    const { bus, seen } = await withReader({ log });
    (await admin()).publish('rules.changed.v1', new Uint8Array(), { headers: headers(503, 'Consumer Deleted') });
    await eventually(() => givenUp.length === 1, 'the end of its tries');
    await bus.publish(news(2));
    await eventually(() => seen.includes(2), 'the next message');
  });

  test('a lost connection: what others publish meanwhile is delivered when it is back', async () => {
    const proxy = await proxyTo(server.uri);
    const { bus, seen } = await withReader({ servers: proxy.uri });
    const other = await start();
    await proxy.cut();
    await eventually(() => !bus.status().ok, 'the status');
    await other.publish(news(2));
    await proxy.mend();
    await eventually(() => seen.includes(2), 'what was published meanwhile', 5_000);
    expect(bus.status()).toEqual({ ok: true });
    await bus.close();
    await proxy.close();
  });

  test('what waits behind a slow handler is delivered once, however long that is', async () => {
    const bus = await start({ ackWait: 600 });
    const seen: number[] = [];
    await bus.subscribe('rules.changed.v1', 'slow', async ([one]) => {
      seen.push(one?.data.rule_id ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 250));
    });
    for (const message of manyNews(8)) await bus.publish(message);
    await eventually(() => seen.length >= 8, 'all messages');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('deliveries that nobody handles do not count, also on a consumer of an earlier version', async () => {
    const bus = await start();
    const join = (seen: number[]) =>
      bus.subscribe('rules.changed.v1', 'readers', async ([one]) => void seen.push(one?.data.rule_id ?? 0));
    await (await join([])).close();
    const connection = await admin();
    const [stream, consumer] = ['rules-events', 'rules_changed_v1--readers'];
    const manager = await connection.jetstreamManager();
    await manager.consumers.update(stream, consumer, { max_deliver: 5 });
    await bus.publish(news(1));
    const dying = await connection.jetstream().consumers.get(stream, consumer);
    const deliverToNobody = async (): Promise<boolean> => {
      const msg = await dying.next({ expires: 1_000 });
      msg?.nak();
      return msg !== null;
    };
    for (let times = 0; times < 5; times += 1) expect(await deliverToNobody()).toBe(true);
    const seen: number[] = [];
    await (await join(seen)).close();
    expect((await manager.consumers.info(stream, consumer)).config.max_deliver).toBe(-1);
    await bus.publish(news(2));
    for (let times = 0; times < 12; times += 1) await deliverToNobody();
    await join(seen);
    await eventually(() => seen.includes(1) && seen.includes(2), 'what was delivered to nobody');
  });

  test('a message whose handler always hangs is given up after as many failures as any other', async () => {
    const { log, givenUp } = givingUpLog();
    const bus = await start({ ackWait: 100, maxDeliver: 3, log });
    let tries = 0;
    await bus.subscribe('rules.changed.v1', 'hanging', () => {
      tries += 1;
      return new Promise(() => undefined);
    });
    await bus.publish(news(1));
    await eventually(() => givenUp.length === 1, 'the end of its tries', 5_000);
    expect(tries).toBe(3);
  });

  test('what a hung member holds goes to another member of the group', async () => {
    const [hanging, healthy] = [await start({ ackWait: 300 }), await start({ ackWait: 300 })];
    const hold = gate();
    const seen: number[] = [];
    await hanging.subscribe('rules.changed.v1', 'shift', () => hold.opened, { concurrency: 4 });
    for (const message of manyNews(4)) await hanging.publish(message);
    await healthy.subscribe('rules.changed.v1', 'shift', async ([one]) => void seen.push(one?.data.rule_id ?? 0));
    await eventually(() => new Set(seen).size === 4, 'the other member to have them all');
    hold.open();
  });
});
