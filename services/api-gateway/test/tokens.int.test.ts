import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileVariables } from '@order-automation/service';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { addUser, adminPassword, asAdminWithNonce, configOf, logIn, type Running, send, startGateway } from './gateway';

const route = '/pro/v1/debug-rule/search-orders';
const issuer = 'https://login.example.com';

describeLanes('tokens', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] });

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps, { JWT_ISSUER: issuer, JWT_JWKS: keys });
    deps.clock.set(Math.ceil(deps.clock.now() / 1000) * 1000);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });
  const ask = (path: string, headers: Record<string, string>) => send(running.base, 'GET', path, { headers });
  const tokenFor = async (headers: Record<string, string>, json: unknown = {}) =>
    (await send(running.base, 'POST', '/v1/auth/token', { headers, json })).body;
  const foreign = (sub: string) => {
    const now = deps.clock.now() / 1000;
    const claims = { iss: issuer, aud: 'order-automation', sub, iat: now, exp: now + 300 };
    const input = [{ alg: 'EdDSA', kid: 'k1' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
  };

  test('a token opens the extended routes for an hour, and nothing else', async () => {
    const admin = await asAdminWithNonce(running.base);
    const { access_token, ...said } = await tokenFor(admin);
    expect(said).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: 'full' });
    for (const extended of [route, '/v1/webhooks', '/v1/secrets'])
      expect((await ask(extended, bearer(access_token))).status).toBe(200);
    for (const path of ['/v1/rules', '/v1/audit-log', '/v1/auth/users']) {
      expect(await ask(path, bearer(access_token))).toMatchObject({
        status: 401,
        body: {
          code: 'rest_forbidden',
          message: expect.stringContaining('Tokens are taken by the routes of the extended'),
        },
      });
    }
    const more = await send(running.base, 'POST', '/v1/auth/token', { headers: bearer(access_token), json: {} });
    expect(more.status).toBe(401);
    deps.clock.advance(3_600_000);
    expect((await ask(route, bearer(access_token))).status).toBe(401);
  });

  test('a token may do what its user may, and no more than its scope', async () => {
    const viewer = await tokenFor(await addUser(deps.store, 'viewer', 'shop_viewer'));
    expect((await ask(route, bearer(viewer.access_token))).status).toBe(403);
    const reading = await tokenFor(await addUser(deps.store, 'manager', 'shop_manager'), { scope: 'read' });
    expect((await ask(route, bearer(reading.access_token))).status).toBe(200);
    const changing = { headers: bearer(reading.access_token), json: {} };
    expect((await send(running.base, 'POST', '/pro/v1/debug-rule/test', changing)).status).toBe(403);
    const tooLong = { headers: await asAdminWithNonce(running.base), json: { expires_in: 3601 } };
    expect((await send(running.base, 'POST', '/v1/auth/token', tooLong)).status).toBe(400);
  });

  test('a token ends when its user gets another password or is disabled; a session needs its nonce for one', async () => {
    await addUser(deps.store, 'hanna', 'shop_manager');
    const { cookie, nonce } = await logIn(running.base, 'hanna');
    expect((await send(running.base, 'POST', '/v1/auth/token', { headers: { cookie }, json: {} })).status).toBe(401);
    const session = { cookie, 'x-host-nonce': nonce };
    const first = bearer((await tokenFor(session)).access_token);
    expect((await ask(route, first)).status).toBe(200);
    deps.clock.advance(1);
    const json = { current: adminPassword, new: 'another long password' };
    expect((await send(running.base, 'PUT', '/v1/auth/password', { headers: session, json })).status).toBe(200);
    expect((await ask(route, first)).status).toBe(401);
    const second = bearer((await tokenFor(session)).access_token);
    expect((await ask(route, second)).status).toBe(200);
    const admin = await asAdminWithNonce(running.base);
    const { body } = await send(running.base, 'GET', '/v1/auth/users?per_page=200', { headers: admin });
    const hanna = (body.users as { id: string; username: string }[]).find(({ username }) => username === 'hanna');
    await send(running.base, 'PUT', `/v1/auth/users/${hanna?.id}`, { headers: admin, json: { disabled: true } });
    expect((await ask(route, second)).status).toBe(401);
  });

  test('a token of the configured issuer is that of the user whom its subject names', async () => {
    await addUser(deps.store, 'ida', 'shop_manager');
    expect((await ask(route, bearer(foreign('ida')))).status).toBe(200);
    for (const other of ['IDA', 'ｉｄａ', 'ida ']) expect((await ask(route, bearer(foreign(other)))).status).toBe(401);
    expect((await ask(route, bearer(foreign('nobody-of-that-name')))).status).toBe(401);
    expect((await ask('/v1/rules', bearer(foreign('ida')))).status).toBe(401);
  });

  test('the keys come from a file; half a configuration, or one with secrets, stops the start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jwks-'));
    const file = join(folder, 'jwks.json');
    await writeFile(file, keys);
    expect(readFileVariables({ JWT_JWKS_FILE: file }, new Map([['JWT_JWKS', keys]])).JWT_JWKS).toBe(keys);
    await rm(folder, { recursive: true });
    await expect(startGateway(deps, { JWT_ISSUER: issuer }, running.peers)).rejects.toThrow('JWT_JWKS_FILE');
    await expect(startGateway(deps, { JWT_JWKS: keys }, running.peers)).rejects.toThrow('JWT_ISSUER');
    const secret = JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k1' }] });
    for (const wrong of [secret, '{}', 'x', '{"keys":[{"kty":"oct","k":"AAAA","kid":"1"}]}']) {
      expect(() => configOf({ JWT_JWKS: wrong })).toThrow('public keys');
    }
  });
});
