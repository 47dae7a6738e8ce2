import { createHmac } from 'node:crypto';
import type { ReceivedWebhook } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { cardSecret, cardWebhook, genericWebhook, receive, receiveOne, running, start } from './intake';

/** 10,000 by hand: `ROTATION_REQUESTS=10000`. */
const requests = Number(process.env.ROTATION_REQUESTS ?? 400);
const atOnce = 50;
const hour = 3_600_000;

describeLanes('rotating a secret under load', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;

  beforeEach(async () => {
    ({ clock, deps, service } = await running(lane, { listens: false }));
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
    const rotated = await deps.bus.request('intake.connection.rotate.v1', { name: 'erp', overlap_hours: 1 });
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

  let probes = 0;
  const probe = (secret: string): ReceivedWebhook => {
    probes += 1;
    return byCard(`probe-${probes}`, secret);
  };
});
