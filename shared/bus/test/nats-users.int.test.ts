import type { Bus } from '@order-automation/bus';
import { natsBus } from '@order-automation/bus/nats';
import { natsUsers, passwordVariable } from '@order-automation/bus/nats-users';
import { type ServiceName, serviceNames } from '@order-automation/contracts';
import { connect, type NatsConnection } from 'nats';
import { eventually, news, step } from './conformance/data';
import { cannotStart, type OwnServer, ownServer } from './nats-server';

const title = 'a NATS server with one user for each service';
const lane = cannotStart ? describe.skip : describe;

lane(cannotStart ? `${title} (nats: ${cannotStart})` : `${title} [nats]`, () => {
  const prefix = 'shop_berlin';
  const passwords = Object.fromEntries(serviceNames.map((service) => [passwordVariable(service), `pw-${service}`]));
  const closing: { close(): Promise<void> }[] = [];
  let server: OwnServer;

  beforeAll(async () => {
    server = await ownServer({ authorization: natsUsers(prefix), env: passwords });
  });
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });
  afterAll(() => server.remove());

  const addressOf = (service: ServiceName, password = `pw-${service}`) =>
    server.uri.replace('nats://', `nats://${service}:${password}@`);
  const busOf = async (service: ServiceName): Promise<Bus> => {
    const bus = await natsBus({
      servers: addressOf(service),
      name: service,
      services: [service],
      profile: 'development',
      streamPrefix: prefix,
    });
    closing.push(bus);
    return bus;
  };
  const clientOf = async (service: ServiceName): Promise<NatsConnection> => {
    const client = await connect({
      servers: server.uri,
      user: service,
      pass: `pw-${service}`,
      inboxPrefix: `_INBOX.${service}`,
    });
    closing.push(client);
    return client;
  };
  const refused = { code: 'PERMISSIONS_VIOLATION' };

  test('no credentials and a wrong password are refused', async () => {
    await expect(connect({ servers: server.uri })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
    const wrong = natsBus({ servers: addressOf('shop', 'guess'), name: 'shop', profile: 'development' });
    await expect(wrong).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('every service connects, and does what its contracts say', async () => {
    const [edge, rules, evaluation, shop] = [
      await busOf('api-gateway'),
      await busOf('rules'),
      await busOf('evaluation'),
      await busOf('shop'),
    ];
    for (const service of ['gateway-intake', 'audit', 'pro-debug'] as const) await busOf(service);
    const heard: number[] = [];
    for (const group of ['evaluation', null]) {
      await evaluation.subscribe('rules.changed.v1', group, async ([one]) => void heard.push(one?.data.rule_id ?? 0));
    }
    await rules.publish(news(1));
    await eventually(() => heard.length === 2, 'the event, by the group and by the listener');
    await shop.respond('shop.search.v1', async () => ({ results: [] }));
    const answer = edge.request('shop.search.v1', { source: 'users', search: '', limit: 1 });
    await expect(answer).resolves.toEqual({ results: [] });
  });

  test('another service’s messages are refused: publishing, asking, answering, listening', async () => {
    const audit = await clientOf('audit');
    const apply = `${prefix}.shop.order.apply.v2`;
    await expect(audit.request(apply, JSON.stringify({ steps: [step] }), { timeout: 2_000 })).rejects.toMatchObject(
      refused,
    );
    for (const subject of ['>', '_INBOX.>', '_INBOX.evaluation.>', apply, `${prefix}.intake.receive.v1`]) {
      const failure = await new Promise((resolve) => {
        audit.subscribe(subject, { callback: (error) => resolve(error) });
      });
      expect(failure).toMatchObject(refused);
    }
  });

  test('another service’s streams and consumers are out of reach', async () => {
    await busOf('evaluation');
    const shop = await clientOf('shop');
    for (const subject of [
      `$JS.API.CONSUMER.MSG.NEXT.${prefix}-intake-events.intake_event-received_v1--evaluation`,
      `$JS.API.STREAM.DELETE.${prefix}-shop-events`,
      `$JS.API.STREAM.PURGE.${prefix}-shop-events`,
      `$JS.API.STREAM.INFO.${prefix}-intake-events`,
    ]) {
      await expect(shop.request(subject, '{}', { timeout: 2_000 })).rejects.toMatchObject(refused);
    }
  });
});
