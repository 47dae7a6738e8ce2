import { randomUUID } from 'node:crypto';
import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import pino from 'pino';
import type { GatewaySecretsDocument } from '../src/connections/gateway-secrets';
import { openSecretUses, type SecretUseDocument } from '../src/connections/secret-uses';
import { cardSecret, cardWebhook, type Peers, receiveOne, running, start } from './intake';

const hour = 3_600_000;
const gateway = 'gateway_card';
const connections = true;

describeLanes('secrets of gateways', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane, { listens: false }));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  /** As patient as a starved machine needs it. */
  const ask = <T extends RequestType>(type: T, input: RequestInput<T>): Promise<RequestOutput<T>> =>
    deps.bus.request(type, input, { timeout: 15_000 });
  const add = (fields: Partial<RequestInput<'intake.secret.add.v1'>> = {}) =>
    ask('intake.secret.add.v1', { gateway, connections, overlap_hours: 24, by: 'ada', ...fields });
  const list = async (of = gateway) => (await ask('intake.secret.list.v1', { gateway: of, connections })).secrets;
  const send = async (secret: string) => {
    const webhook = cardWebhook(`evt_${randomUUID()}`, clock.now(), { secret });
    return (await receiveOne(deps.bus, { ...webhook, received_at: new Date(clock.now()).toISOString() })).success;
  };
  const entries = async (eventType: string, count: number) => {
    const found = () => [...peers.entries.values()].filter(({ event_type }) => event_type === eventType);
    await waitFor(() => found().length >= count);
    return found();
  };

  test('stand beside those of the environment, are shown once, encrypted, and survive a restart', async () => {
    const { secret, ...added } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(added).toMatchObject({ last4: secret?.slice(-4), source: 'api', until: null, last_used_at: null });
    expect(added.older).toMatchObject([{ last4: cardSecret.slice(-4), source: 'environment', since: null }]);
    expect([await send(secret ?? ''), await send(cardSecret)]).toEqual([true, true]);
    const listed = await list();
    expect(listed.map(({ source }) => source)).toEqual(['api', 'environment']);
    for (const { last_used_at } of listed) expect(last_used_at).toBe(new Date(clock.now()).toISOString());

    const documents = await deps.store.collection<GatewaySecretsDocument>('gateway_secrets');
    for (const text of [secret ?? '', cardSecret]) {
      expect(JSON.stringify(await documents.find({}).toArray())).not.toContain(text);
      expect(JSON.stringify(await ask('intake.gateway.list.v1', {}))).not.toContain(text);
    }
    await service.close();
    service = await start(deps);
    expect(await send(secret ?? '')).toBe(true);
    expect((await list()).map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
  }, 60_000);

  test('a rotation ends the older ones, those of the environment when that is asked for; the log names what signed', async () => {
    const first = await add({ secret: 'the-gateways-own-secret' });
    expect(first.secret).toBeNull();
    const second = await add({ overlap_hours: 1 });
    clock.advance(hour + 1);
    expect([await send('the-gateways-own-secret'), await send(cardSecret), await send(second.secret ?? '')]).toEqual([
      false,
      true,
      true,
    ]);
    const third = await add({ overlap_hours: 0, include_environment: true });
    expect(third.older).toEqual([]);
    expect([await send(cardSecret), await send(second.secret ?? ''), await send(third.secret ?? '')]).toEqual([
      false,
      false,
      true,
    ]);
    const documents = await deps.store.collection<GatewaySecretsDocument>('gateway_secrets');
    const [endOfEnvironment] = (await documents.findOne({ _id: gateway }))?.ended_environment ?? [];
    await add({ overlap_hours: 5, include_environment: true, by: 'bob' });
    const again = (await documents.findOne({ _id: gateway }))?.ended_environment ?? [];
    expect(again.map(({ expires_at }) => expires_at)).toEqual([endOfEnvironment?.expires_at]);
    const refusals = (await entries('webhook_rejected', 3)).map(({ summary }) => summary);
    const ended = [first.last4, cardSecret.slice(-4), second.last4];
    for (const last4 of ended)
      expect(refusals.filter((text) => text.includes(`signed with the secret …${last4} that ended on `))).toHaveLength(
        1,
      );
    await service.close();
    service = await start(deps);
    expect([await send(cardSecret), await send(third.secret ?? '')]).toEqual([false, true]);
    const logged = (await entries('webhook_settings_changed', 4)).map(({ summary }) => summary);
    expect(logged.filter((summary) => summary.startsWith('ada')).sort()).toEqual(
      [
        `ada gave gateway_card a new secret (…${first.last4}); the older ones stay valid for at most 24 h; those of the environment stay valid.`,
        `ada gave gateway_card a new secret (…${second.last4}); the older ones stay valid for at most 1 h; those of the environment stay valid.`,
        `ada gave gateway_card a new secret (…${third.last4}); the older ones, those of the environment included, are no longer valid.`,
      ].sort(),
    );
    for (const secret of ['the-gateways-own-secret', second.secret, third.secret, cardSecret])
      expect(JSON.stringify([...peers.entries.values()])).not.toContain(secret);
  }, 60_000);

  test('one is removed at once, one of the environment never', async () => {
    const { id, secret, last4 } = await add({ overlap_hours: null });
    const remove = (of: string, which: string) =>
      ask('intake.secret.remove.v1', { gateway: of, connections, id: which, by: 'ada' });
    expect(await send(secret ?? '')).toBe(true);
    await remove(gateway, id);
    expect(await send(secret ?? '')).toBe(false);
    const [refusal] = await entries('webhook_rejected', 1);
    expect(refusal?.summary).toContain(`signed with the secret …${last4} that was removed on `);
    const [ofEnvironment, ...more] = await list();
    expect(more).toEqual([]);
    await expect(remove(gateway, ofEnvironment?.id ?? '')).rejects.toMatchObject({
      status: 409,
      code: 'svc_secret_of_environment',
    });
    await expect(remove(gateway, id)).rejects.toMatchObject({ status: 404, code: 'svc_secret_not_found' });
    await expect(remove('gateway_none', id)).rejects.toMatchObject({ status: 404, code: 'svc_gateway_not_found' });
    expect(await send(cardSecret)).toBe(true);
    const logged = await entries('webhook_settings_changed', 2);
    expect(logged.map(({ summary }) => summary)).toContain(
      `ada removed the secret …${last4} of gateway_card; it is no longer valid.`,
    );
  }, 60_000);

  test('the shop and connections have the same; others say what proves them instead', async () => {
    const shop = await add({ gateway: 'gateway_shop' });
    expect(await list('gateway_shop')).toMatchObject([{ id: shop.id, source: 'api' }]);
    const shopStatus = async () => {
      const { adapters } = await ask('intake.status.v1', {});
      return adapters.find((adapter) => adapter.gateway === 'gateway_shop')?.status;
    };
    expect(await shopStatus()).toBe('active');
    await ask('intake.secret.remove.v1', { gateway: 'gateway_shop', connections, id: shop.id });
    expect(await shopStatus()).toBe('inactive');
    await ask('intake.connection.create.v1', { name: 'erp', fields: {} });
    const own = await add({ gateway: 'erp', overlap_hours: 2 });
    expect(await list('erp')).toMatchObject([{ id: own.id }, { source: 'api', until: expect.any(String) }]);
    await ask('intake.secret.remove.v1', { gateway: 'erp', connections, id: own.id });
    expect(await list('erp')).toHaveLength(1);
    await expect(add({ gateway: 'erp', connections: false })).rejects.toMatchObject({ code: 'svc_licence_required' });
    await expect(add({ gateway: 'gateway_wallet' })).rejects.toMatchObject({ status: 400 });
    await expect(add({ gateway: 'generic' })).rejects.toMatchObject({ status: 400 });
    await expect(add({ secret: 'too short' })).rejects.toMatchObject({ status: 400 });
    expect(await list('gateway_wallet')).toEqual([]);
  }, 60_000);

  test('health warns of a last secret that ends soon, to strangers without a character of it', async () => {
    const warnings = async () => (await ask('intake.status.v1', {})).warnings ?? [];
    expect(await warnings()).toEqual([]);
    const { secret } = await add({ overlap_hours: 24, include_environment: true });
    const [unused] = await warnings();
    expect(unused).toMatchObject({ about: gateway, text: expect.stringContaining('no newer one has been used') });
    expect(unused?.text).not.toContain(cardSecret.slice(-4));
    const { gateways } = await ask('intake.gateway.list.v1', {});
    const card = gateways.find(({ name }) => name === gateway);
    expect(card?.warnings?.[0]?.text).toContain(`…${cardSecret.slice(-4)}`);
    await send(secret ?? '');
    expect(await warnings()).toEqual([]);
  }, 60_000);

  test('the last use of a secret is stored once a minute, and known to other instances', async () => {
    const documents = await deps.store.collection<SecretUseDocument>('secret_uses');
    const log = pino({ level: 'silent' });
    const uses = await openSecretUses(deps.store, clock, log);
    const started = clock.now();
    const storedAfter = async (milliseconds: number): Promise<number> => {
      clock.advance(milliseconds);
      uses.note('sec_1', clock.now());
      await uses.refresh();
      const found = await documents.findOne({ _id: 'sec_1' });
      return Date.parse(found?.at ?? '') - started;
    };
    expect(await storedAfter(0)).toBe(0);
    expect(await storedAfter(59_999)).toBe(0);
    expect(uses.lastOf('sec_1')).toBe(started + 59_999);
    expect(await storedAfter(1)).toBe(60_000);
    const other = await openSecretUses(deps.store, clock, log);
    expect(other.lastOf('sec_1')).toBe(started + 60_000);
    await uses.forget('sec_1');
    expect(await documents.findOne({ _id: 'sec_1' })).toBeNull();
  }, 60_000);
});
