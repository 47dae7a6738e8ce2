import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@order-automation/contracts';
import { connect } from 'nats';
import { composeWith, deployFile, settingsWith } from './deployment';
import { type NatsServer, startNatsServer } from './nats-server';

const settings = settingsWith((name) => `of-${name.toLowerCase()}`);
const { services } = composeWith(settings);
const streamPrefix = services.audit?.environment.NAMESPACE ?? '';

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

  const apply = `${streamPrefix}.shop.order.apply.v2`;

  test('without credentials nobody gets in, let alone publishes', async () => {
    await expect(connect({ servers: server.url })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
    const guess = connect({ servers: server.url, user: 'shop', pass: 'guess' });
    await expect(guess).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  });

  test.each([...serviceNames, 'worker'])(
    '%s gets in with the address that docker-compose.yml gives it, to its own messages',
    async (service) => {
      const { username, password } = new URL(services[service]?.environment.NATS_URL ?? '');
      const client = await connect({
        servers: server.url,
        user: username,
        pass: password,
        inboxPrefix: `_INBOX.${service}`,
      });
      // Evaluation alone may ask for changes of orders, and a worker, which has it; here nobody answers.
      const code = ['evaluation', 'worker'].includes(service) ? '503' : 'PERMISSIONS_VIOLATION';
      await expect(client.request(apply, '{}', { timeout: 2_000 })).rejects.toMatchObject({ code });
      await client.close();
    },
  );
});
