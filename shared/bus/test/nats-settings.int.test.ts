import { randomBytes } from 'node:crypto';
import type { Bus } from '@order-automation/bus';
import { type NatsBusOptions, natsBus } from '@order-automation/bus/nats';
import { webhookOf } from './conformance/data';
import { cannotStart, type OwnServer, ownServer } from './nats-server';

const title = 'natsBus and the settings of a server';
const lane = cannotStart ? describe.skip : describe;

lane(cannotStart ? `${title} (nats: ${cannotStart})` : `${title} [nats]`, () => {
  const start = ({ uri }: OwnServer, options: Partial<NatsBusOptions> = {}): Promise<Bus> =>
    natsBus({ servers: uri, name: 'test', profile: 'development', ...options });

  test('what max_payload has no room for is refused by the name of the setting, and the start warns of it', async () => {
    const small = await ownServer({ maxPayload: '65536' });
    const warnings: string[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (fields: object) => void warnings.push(JSON.stringify(fields)),
    };
    const bus = await start(small, { log });
    expect(warnings.join()).toContain('max_payload');
    const other = await start(small);
    const tooLarge = { name: 'BusError', code: 'too_large', message: expect.stringContaining('max_payload') };
    await other.respond('intake.receive.v1', async () => ({ receptions: [] }));
    await expect(bus.request('intake.receive.v1', webhookOf(1024 * 1024))).rejects.toMatchObject(tooLarge);
    const reasons = [randomBytes(100_000).toString('base64'), 'é'.repeat(100_000)];
    await other.respond('intake.status.v1', async () => ({ ready: true, reason: reasons.shift() ?? '', adapters: [] }));
    await expect(bus.request('intake.status.v1', {})).rejects.toMatchObject(tooLarge);
    // Compressed, an answer of repeated text has room.
    expect((await bus.request('intake.status.v1', {})).reason).toBe('é'.repeat(100_000));
    expect((await bus.request('intake.status.v1', {})).reason).toBe('');
    await Promise.all([bus.close(), other.close()]);
    await small.remove();
  });

  test('production names every setting that is not safe', async () => {
    const server = await ownServer({ maxPayload: '1MB' });
    const unsafe = start(server, { profile: 'production', replicas: 1, monitor: server.monitor });
    const message = await unsafe.then(
      () => '',
      (error: Error) => error.message,
    );
    await server.remove();
    for (const setting of ['max_payload', 'replicas', 'sync_interval']) expect(message).toContain(setting);
    const single = await ownServer({ maxPayload: '8MB', syncAlways: true });
    const alone = start(single, { profile: 'production', monitor: single.monitor });
    await expect(alone).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('replicas') });
    await single.remove();
  });

  test.each(['tls://', 'TLS://'])(
    '%s never ends in clear text, nor does an address of a protocol that we do not speak',
    async (scheme) => {
      const clear = await ownServer();
      const encrypted = natsBus({
        servers: clear.uri.replace('nats://', scheme),
        name: 'test',
        profile: 'development',
      });
      await expect(encrypted).rejects.toMatchObject({ code: 'unavailable' });
      for (const other of ['wss://', 'WSS://', 'ws://', 'https://']) {
        const refused = natsBus({ servers: clear.uri.replace('nats://', other), name: 'test', profile: 'development' });
        await expect(refused).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('tls://'),
        });
      }
      await clear.remove();
    },
  );

  test('a server without JetStream is refused by the name of the setting', async () => {
    const plain = await ownServer({ jetStream: false });
    await expect(start(plain)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('jetstream'),
    });
    await plain.remove();
  });
});
