import { keyRing } from '@order-automation/service';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { Registry } from 'prom-client';
import { openLoginAttempts } from '../src';
import { countGuesses } from '../src/auth/guesses';
import { keyedHash } from '../src/auth/keys';
import { addUser, adminPassword, asAdmin, basic, type Running, secretKey, send, startGateway } from './gateway';

const minute = 60_000;

describeLanes('guessing', (lane) => {
  let deps: LaneDeps;
  let clock: LaneDeps['clock'];
  let running: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    clock = deps.clock;
    running = await startGateway(deps, { TRUST_PROXY: '1' });
    clock.set(clock.now());
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
  const guess = (username: string, address: string, password = 'wrong password', { base } = running) =>
    send(base, 'POST', '/v1/auth/login', { json: { username, password }, headers: from(address) });
  const rules = (headers: Record<string, string>, address: string) =>
    send(running.base, 'GET', '/v1/rules', { headers: { ...headers, ...from(address) } });

  test('of 180 guesses at one user from 60 addresses 20 are evaluated; the owner still gets in, also after a restart', async () => {
    const target = await addUser(deps.store, 'target', 'shop_viewer');
    expect((await guess('target', '192.0.2.1', adminPassword)).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let address = 1; address <= 60; address += 1) {
        statuses.push((await guess('target', `198.51.100.${address}`)).status);
      }
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(160);

    const stranger = await guess('target', '198.51.100.99', adminPassword);
    expect(stranger).toMatchObject({ status: 429, body: { code: 'svc_too_many_attempts' } });
    expect(Number(stranger.headers.get('retry-after'))).toBe(300);
    expect((await guess('target', '192.0.2.1', adminPassword)).status).toBe(200);
    expect((await send(running.base, 'GET', '/v1/audit-log', { headers: target })).status).toBe(200);

    const restarted = await startGateway({ ...deps, metrics: new Registry() }, { TRUST_PROXY: '1' }, running.peers);
    expect((await guess('target', '198.51.100.98', adminPassword, restarted)).status).toBe(429);
    expect((await guess('target', '192.0.2.1', adminPassword, restarted)).status).toBe(200);
    await restarted.gateway.close();

    clock.advance(5 * minute);
    expect((await guess('target', '198.51.100.99', adminPassword)).status).toBe(200);
  });

  test('guesses at an address that is known are slowed there too', async () => {
    await addUser(deps.store, 'neighbour', 'shop_viewer');
    expect((await guess('neighbour', '192.0.2.2', adminPassword)).status).toBe(200);
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await guess('neighbour', '192.0.2.2')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  });

  test('10,000 guesses in an hour at one user from 50 addresses: at most 20 evaluated in any 5 minutes', async () => {
    const many = lane.name === 'embedded' ? 10_000 : 300;
    const attempts = await openLoginAttempts(deps.store);
    let now = clock.now();
    const guesses = countGuesses(attempts, keyedHash(keyRing([secretKey]), 'login-attempts'), { now: () => now });
    const evaluated: number[] = [];
    for (let index = 0; index < many; index += 1) {
      now += (60 * minute) / many;
      const attempt = await guesses.begin('hunted', `203.0.113.${index % 50}`).catch(() => undefined);
      if (attempt) evaluated.push(now);
    }
    for (const time of evaluated) {
      const within = evaluated.filter((other) => other >= time && other < time + 5 * minute);
      expect(within.length).toBeLessThanOrEqual(20);
    }
    expect(evaluated.length).toBeGreaterThan(20);
  });

  test('wrong application passwords: 20 a minute from one address, then 429; a right one is never slowed', async () => {
    clock.advance(minute);
    const wrong = (address: string) => rules(basic('admin', 'x'.repeat(24)), address);
    const statuses: number[] = [];
    for (let index = 0; index < 25; index += 1) statuses.push((await wrong('203.0.113.200')).status);
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    const refused = await wrong('203.0.113.200');
    expect(refused.body.code).toBe('svc_too_many_attempts');
    expect(Number(refused.headers.get('retry-after'))).toBe(60);
    expect((await rules(asAdmin, '203.0.113.200')).status).toBe(200);
    expect((await wrong('203.0.113.201')).status).toBe(401);
    clock.advance(minute);
    expect((await wrong('203.0.113.200')).status).toBe(401);
  });

  test('behind a proxy a client that cannot be read is not this machine: no password over plain HTTP', async () => {
    for (const address of ['unknown', '127.0.0.1, unknown', '_hidden']) {
      const headers = { ...asAdmin, 'x-forwarded-for': address, 'x-forwarded-proto': 'http' };
      expect((await send(running.base, 'GET', '/v1/rules', { headers })).status).toBe(401);
    }
  });

  test('an application password makes another one without a nonce, and uses a nonce of its own for the log', async () => {
    const make = (headers: Record<string, string>) =>
      send(running.base, 'POST', '/v1/auth/application-passwords', { json: { name: 'x' }, headers });
    const retain = (headers: Record<string, string>) =>
      send(running.base, 'POST', '/v1/audit-log/retention', { json: { dry_run: true }, headers });
    expect((await make(asAdmin)).status).toBe(201);
    expect((await retain(asAdmin)).status).toBe(401);
    const { body } = await send(running.base, 'GET', '/v1/auth/nonce', { headers: asAdmin });
    expect((await retain({ ...asAdmin, 'x-host-nonce': String(body.nonce) })).status).toBe(200);
  });
});
