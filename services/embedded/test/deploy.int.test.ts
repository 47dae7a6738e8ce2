import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsUsers } from '@order-automation/bus/nats-users';
import { serviceNames } from '@order-automation/contracts';
import { connect } from 'nats';
import { allVariables, environmentOf } from '../src/config';
import { composeWith, deployFile, settingsWith } from './deployment';
import { type NatsServer, startNatsServer } from './nats-server';

const key = Buffer.alloc(32, 7).toString('base64');
const settings = settingsWith((name) => (name === 'SECRET_KEY' ? key : `of-${name.toLowerCase()}`));
const { services } = composeWith(settings);
const streamPrefix = services.audit?.environment.NAMESPACE ?? '';

describe('docker-compose.yml', () => {
  test.each(serviceNames)('%s gets the variables that it reads, and none that only others read', (service) => {
    const { environment = {}, command } = services[service] ?? {};
    const everything = Object.fromEntries([...allVariables.keys()].map((name) => [name, 'x']));
    // The image sets these.
    const ofImage = ['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'DATA_DIR'];
    const wanted = Object.keys(environmentOf(service, everything)).filter((name) => !ofImage.includes(name));
    const given = Object.keys(environment).filter((name) => !ofImage.includes(name) && name !== 'NODE_OPTIONS');
    expect(given.sort()).toEqual(wanted.filter((name) => name !== 'NATS_MONITOR').sort());
    expect(command).toEqual(['node', `services/${service}/dist/main.js`]);
  });

  test('a password stands in the environment of its service and of the server that checks it, and nowhere else', () => {
    for (const [name, value] of Object.entries(settings).filter(([, text]) => text.startsWith('of-'))) {
      const holders = Object.keys(services).filter((one) =>
        Object.values(services[one]?.environment ?? {}).some((text) => text.includes(value)),
      );
      const [, server, service] = /^(NATS|MONGO)_PASSWORD_(?!ROOT)(.*)$/.exec(name) ?? [];
      const expected = server ? [server.toLowerCase(), service?.toLowerCase().replaceAll('_', '-')] : [holders[0]];
      expect([name, holders]).toEqual([name, expected]);
    }
  });

  test('nothing but the HTTP edge has a port outside, and nothing starts without its secrets', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['api-gateway']);
    for (const name of Object.keys(settings).filter((one) => /PASSWORD|SECRET_KEY|REPLICA_KEY/.test(one)))
      expect(() => composeWith({ ...settings, [name]: '' })).toThrow(name);
  });
});

test('deploy/nats-users.conf is that of the contracts: `npm run generate` writes it', () => {
  expect(deployFile('nats-users.conf')).toBe(natsUsers(streamPrefix));
});

const binary = process.env.NATS_SERVER_BIN;
const title = 'nats-server with the configuration of deploy/';

(binary ? describe : describe.skip)(binary ? title : `${title} (nats: no NATS_SERVER_BIN)`, () => {
  let folder: string;
  let server: NatsServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'order-automation-nats-'));
    server = await startNatsServer(binary ?? '', folder, {
      users: deployFile('nats-users.conf'),
      env: services.nats?.environment ?? {},
    });
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = `${streamPrefix}.shop.order.apply.v1`;

  test('without credentials nobody gets in, let alone publishes', async () => {
    await expect(connect({ servers: server.url })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
    const guess = connect({ servers: server.url, user: 'shop', pass: 'guess' });
    await expect(guess).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  });

  test.each(serviceNames)(
    '%s gets in with the address that docker-compose.yml gives it, to its own messages',
    async (service) => {
      const { username, password } = new URL(services[service]?.environment.NATS_URL ?? '');
      const client = await connect({
        servers: server.url,
        user: username,
        pass: password,
        inboxPrefix: `_INBOX.${service}`,
      });
      // Evaluation alone may ask for changes of orders; here nobody answers it.
      const code = service === 'evaluation' ? '503' : 'PERMISSIONS_VIOLATION';
      await expect(client.request(apply, '{}', { timeout: 2_000 })).rejects.toMatchObject({ code });
      await client.close();
    },
  );
});
