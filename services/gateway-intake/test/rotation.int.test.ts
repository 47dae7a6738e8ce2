import { createHmac } from 'node:crypto';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock } from '@order-automation/testing';
import { genericWebhook, laterClock, receive, start, startPeers } from './intake';

/** 10,000 by hand: `ROTATION_REQUESTS=10000`. */
const requests = Number(process.env.ROTATION_REQUESTS ?? 400);
const atOnce = 50;
const hour = 3_600_000;

describeLanes('rotating a secret under load', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;

  beforeEach(async () => {
    clock = laterClock();
    deps = await lane.deps({ clock });
    await startPeers(deps.bus);
    service = await start(deps);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  /** Sends webhooks that are signed with the secret in force at that moment; resolves with how many were accepted. */
  const sendAll = async (prefix: string, secretNow: () => string): Promise<number> => {
    let accepted = 0;
    for (let sent = 0; sent < requests; sent += atOnce) {
      const webhooks = Array.from({ length: atOnce }, (_, index) => {
        const webhook = genericWebhook({ id: `${prefix}-${sent + index}` }, { connection: 'erp' });
        const digest = createHmac('sha256', secretNow()).update(webhook.body).digest('hex');
        return { ...webhook, headers: { 'x-signature': [digest] } };
      });
      accepted += (await receive(deps.bus, webhooks)).filter(({ success }) => success).length;
    }
    return accepted;
  };

  test(`of ${requests} requests none is refused in the overlap, and none with the old secret is accepted after it`, async () => {
    const made = await deps.bus.request('intake.connection.create.v1', { name: 'erp', fields: {} });
    const first = made.secret ?? '';
    let current = first;
    const senders = Promise.all([sendAll('before', () => first), sendAll('follows', () => current)]);
    const rotated = await deps.bus.request('intake.connection.rotate.v1', { name: 'erp', overlap_hours: 1 });
    current = rotated.secret ?? '';
    expect(current).not.toBe(first);
    expect(await senders).toEqual([requests, requests]);
    clock.advance(hour + 1);
    expect(await Promise.all([sendAll('late', () => first), sendAll('new', () => current)])).toEqual([0, requests]);
  }, 300_000);
});
