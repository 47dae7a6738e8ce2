import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedWebhook } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { cardSecret, cardWebhook, genericWebhook, type Peers, receive, receiveOne, running, start } from './intake';

/** 10,000 by hand: `ROTATION_REQUESTS=10000`. */
const requests = Number(process.env.ROTATION_REQUESTS ?? 400);
const atOnce = 50;
const hour = 3_600_000;

describeLanes('rotating a secret under load', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let peers: Peers;
  let service: Service;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane, { listens: false }));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  type Sign = (id: string, secret: string) => ReceivedWebhook;
  const byConnection: Sign = (id, secret) => {
    const webhook = genericWebhook({ id }, { connection: 'erp' });
    const digest = createHmac('sha256', secret).update(webhook.body).digest('hex');
    return { ...webhook, headers: { 'x-signature': [digest] } };
  };
  const byCard: Sign = (id, secret) => cardWebhook(`evt_${id}`, clock.now(), { secret });

  /** Sends webhooks that are signed with the secret in force at that moment; resolves with how many were accepted. */
  const sendAll = async (sign: Sign, prefix: string, secretNow: () => string): Promise<number> => {
    let accepted = 0;
    for (let sent = 0; sent < requests; sent += atOnce) {
      const webhooks = Array.from({ length: atOnce }, (_, index) => sign(`${prefix}-${sent + index}`, secretNow()));
      accepted += (await receive(deps.bus, webhooks)).filter(({ success }) => success).length;
    }
    return accepted;
  };

  test(`of ${requests} requests none is refused in the overlap, and none with the old secret is accepted after it`, async () => {
    const made = await deps.bus.request('intake.connection.create.v1', { name: 'erp', fields: {} });
    const first = made.secret ?? '';
    let current = first;
    const senders = Promise.all([
      sendAll(byConnection, 'before', () => first),
      sendAll(byConnection, 'follows', () => current),
    ]);
    const asked = { name: 'erp', overlap_hours: 1 };
    // It stands in line behind 800 webhooks.
    const rotated = await deps.bus.request('intake.connection.rotate.v1', asked, { timeout: 30_000 });
    current = rotated.secret ?? '';
    expect(current).not.toBe(first);
    expect(await senders).toEqual([requests, requests]);
    clock.advance(hour + 1);
    const late = [sendAll(byConnection, 'late', () => first), sendAll(byConnection, 'new', () => current)];
    expect(await Promise.all(late)).toEqual([0, requests]);
  }, 300_000);

  test('and so for the secret of the card gateway that stands in the environment, in two instances at once', async () => {
    const second = await start(deps);
    try {
      let current = cardSecret;
      const senders = Promise.all([
        sendAll(byCard, 'before', () => cardSecret),
        sendAll(byCard, 'follows', () => current),
      ]);
      const wanted = { gateway: 'gateway_card', connections: true, overlap_hours: 1, include_environment: true };
      const added = await deps.bus.request('intake.secret.add.v1', wanted, { timeout: 15_000 });
      // The other instance has heard of it when it accepts a webhook that it answers itself.
      const known = async (): Promise<boolean> =>
        (await Promise.all(Array.from({ length: 8 }, () => receiveOne(deps.bus, probe(added.secret ?? ''))))).every(
          ({ success }) => success,
        );
      await waitFor(known, { timeout: 60_000 });
      current = added.secret ?? '';
      expect(await senders).toEqual([requests, requests]);
      clock.advance(hour + 1);
      const late = [sendAll(byCard, 'late', () => cardSecret), sendAll(byCard, 'new', () => current)];
      expect(await Promise.all(late)).toEqual([0, requests]);
    } finally {
      await second.close();
    }
  }, 300_000);

  test('and none while a new SECRET_KEY goes from one instance to the other, nor while the former one goes', async () => {
    const [former, next] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const made = await deps.bus.request('intake.connection.create.v1', { name: 'erp', fields: {} });
    const gateway = await deps.bus.request('intake.secret.add.v1', {
      gateway: 'gateway_card',
      connections: true,
      overlap_hours: 1,
    });
    await peers.listen();
    let instances = [service, await start(deps)];
    const counts = { accepted: 0, refused: 0 };
    let isOver = false;
    const sendUntilOver = async (sign: Sign, secret: string, prefix: string): Promise<void> => {
      for (let sent = 0; !isOver; sent += 1) {
        const { success } = await receiveOne(deps.bus, sign(`${prefix}-${sent}`, secret));
        counts[success ? 'accepted' : 'refused'] += 1;
        await delay(20);
      }
    };
    const senders = [
      sendUntilOver(byConnection, made.secret ?? '', 'rolling'),
      sendUntilOver(byCard, gateway.secret ?? '', 'rolling'),
    ];
    const changeOver = async (SECRET_KEY: string): Promise<void> => {
      for (const old of instances) {
        const fresh = await start(deps, { SECRET_KEY });
        await old.close();
        instances = [...instances.filter((one) => one !== old), fresh];
        // Each instance reads its settings again meanwhile.
        await delay(1_500);
      }
    };
    const written = await deps.store.collection<{ _id: string; fingerprint: string }>('secret_key');
    const before = await written.findOne({});
    await changeOver(`${next} ${former}`);
    // All have the new key; one of them notices at its next look.
    await waitFor(async () => (await written.findOne({}))?.fingerprint !== before?.fingerprint, { timeout: 60_000 });
    await delay(1_500);
    await changeOver(`${next}`);
    isOver = true;
    await Promise.all(senders);
    await Promise.all(instances.map((one) => one.close()));
    service = await start(deps, { SECRET_KEY: `${next}` });
    expect(counts).toEqual({ accepted: expect.any(Number), refused: 0 });
    expect(counts.accepted).toBeGreaterThan(50);
  }, 300_000);

  let probes = 0;
  const probe = (secret: string): ReceivedWebhook => {
    probes += 1;
    return byCard(`probe-${probes}`, secret);
  };
});
