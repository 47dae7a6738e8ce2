import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import fc from 'fast-check';
import {
  cardWebhook,
  genericWebhook,
  type Peers,
  receive,
  receiveOne,
  start,
  startPeers,
  storedEvents,
} from './intake';

describeLanes('webhooks that prove nothing', (lane) => {
  let deps: LaneDeps;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    deps = await lane.deps();
    peers = await startPeers(deps.bus);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  test('share a quota; what is proven does not', async () => {
    service = await start(deps, { INTAKE_UNAUTHENTICATED_BYTES: '1KiB' });
    const pad = 'x'.repeat(400);
    const answers = [];
    for (let number = 0; number < 4; number += 1)
      answers.push(await receiveOne(deps.bus, genericWebhook({ id: number, pad })));
    expect(answers.map(({ success }) => success)).toEqual([true, true, false, false]);
    expect((await receiveOne(deps.bus, cardWebhook('evt_1', Date.now()))).success).toBe(true);
    await service.close();
    service = await start(deps, { INTAKE_UNAUTHENTICATED_BYTES: '1KiB' });
    expect((await receiveOne(deps.bus, genericWebhook({ id: 5, pad }))).success).toBe(false);
  });

  test('of finished events keep no body when there is little room, and lock nobody', async () => {
    await peers.listen();
    peers.evaluation = 'reports_done';
    service = await start(deps, { INTAKE_UNAUTHENTICATED_BYTES: '1KiB' });
    const pad = 'x'.repeat(400);
    for (let number = 0; number < 6; number += 1)
      await waitFor(async () => (await receiveOne(deps.bus, genericWebhook({ id: number, pad }))).success, {
        timeout: 10_000,
        every: 200,
      });
    await waitFor(async () => (await storedEvents(deps)).filter(({ body }) => body !== undefined).length <= 1);
    expect(await storedEvents(deps)).toHaveLength(6);
  });

  test('of one address have a share; others are taken', async () => {
    service = await start(deps, { INTAKE_UNAUTHENTICATED_BYTES: '4KiB' });
    const webhook = (id: number, address: string) => ({ ...genericWebhook({ id, pad: 'x'.repeat(600) }), address });
    const answers = [];
    for (let id = 0; id < 3; id += 1) answers.push((await receiveOne(deps.bus, webhook(id, '192.0.2.7'))).success);
    expect(answers).toEqual([true, false, false]);
    expect((await receiveOne(deps.bus, webhook(9, '192.0.2.8'))).success).toBe(true);
  });

  test('are refused without a record when one address sends too many; genuine ones of it are not', async () => {
    deps.clock.set(Date.now()); // All within one second, however slow the machine.
    service = await start(deps);
    const address = '192.0.2.7';
    const forged = Array.from({ length: 600 }, () => ({ ...cardWebhook('evt_x', Date.now()), headers: {}, address }));
    for (let from = 0; from < 600; from += 50) await receive(deps.bus, forged.slice(from, from + 50));
    for (const pad of [0, 500_000]) {
      const genuine = { ...cardWebhook(`evt_${pad}`, Date.now(), { pad }), address };
      const accepted = await receiveOne(deps.bus, genuine);
      expect(accepted).toMatchObject({ success: true, duplicate: false });
      expect(accepted).not.toHaveProperty('limit');
    }
    await service.close();
    // What audit could not confirm before the end is handed over after the next start.
    service = await start(deps);
    await waitFor(() => [...peers.entries.values()].some(({ details }) => details.reason === 'too_many'));
    const rejected = [...peers.entries.values()].filter(({ details }) => details.reason === 'signature_missing');
    expect(rejected).toHaveLength(500);
  });

  test('are answered with what is left for their address', async () => {
    service = await start(deps);
    const webhook = (id: number) => ({ ...genericWebhook({ id }), address: '192.0.2.8' });
    expect(await receiveOne(deps.bus, webhook(1))).toMatchObject({
      success: true,
      limit: { quota: 500, remaining: 499, reset_seconds: 1 },
    });
    const left = (await receive(deps.bus, [webhook(2), webhook(3)])).map(({ limit }) => limit?.remaining ?? 0);
    expect(left[1]).toBe((left[0] ?? 0) - 1);
  });

  test('whatever they are, each has an answer', async () => {
    service = await start(deps);
    const gateways = fc.constantFrom('generic', 'gateway_card', 'gateway_wallet', 'gateway_shop', '__proto__');
    const headers = fc.dictionary(
      fc.constantFrom(
        'content-type',
        'card-signature',
        'wallet-transmission-id',
        'x-wc-webhook-topic',
        'content-encoding',
      ),
      fc.array(fc.oneof(fc.string(), fc.constant('application/x-www-form-urlencoded')), { maxLength: 2 }),
    );
    const body = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(gateways, headers, body, async (gateway, sent, bytes) => {
        const reception = await receiveOne(deps.bus, {
          ...genericWebhook('{}'),
          gateway,
          headers: sent,
          body: Uint8Array.from(bytes),
        });
        expect(reception).toMatchObject({ success: expect.any(Boolean), message: expect.stringMatching(/./) });
        expect(reception.process_id).toMatch(/^proc_/);
      }),
      { numRuns: 300 },
    );
    for (const { event } of await storedEvents(deps)) expect(event.authenticated).toBe(false);
  });
});
