import { createMetrics, type Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';
import { startEvaluation } from '../src';
import type { DeliveryDocument } from '../src/deliveries/document';
import type { EarlierEffect } from '../src/deliveries/earlier-effects';
import { type Peers, startPeers, testConfig } from './peers';

const queuedAt = Date.UTC(2026, 10, 22);

const effect = (index: number, over: Partial<EarlierEffect> = {}): EarlierEffect => ({
  _id: `payment:${index}:1:0`,
  kind: 'webhook',
  payload: JSON.stringify({ url: `http://127.0.0.1:1/hook/${index}?token=t`, secret_ref: null, body: '{}' }),
  context: {
    _id: `evt_${index}`,
    process_id: `proc_${index}`,
    order_id: index,
    cause: { event_type: 'payment_intent_succeeded', is_test: false } as never,
    rule: { id: 1, name: 'Tell the ERP' },
    action: { index: 0, id: 'send_webhook', label: 'Send webhook' },
    key: `payment:${index}:1:0`,
  },
  queued_at: queuedAt,
  state: 'queued',
  delivered: null,
  fence: 3,
  tries: 2,
  attempts: 1,
  due: queuedAt,
  error: 'The address did not answer.',
  ...over,
});
const { due: _, ...ended } = effect(0);

jest.setTimeout(120_000);

describeLanes('evaluation: deliveries that an earlier version has queued', (lane) => {
  const clock = settableClock(queuedAt + 1000);
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service | undefined;

  beforeEach(async () => {
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
  });
  afterEach(() => service?.close());

  const effects = () => deps.store.collection<EarlierEffect>('effects');
  const start = async (isOnlyInstance: boolean): Promise<void> => {
    const started = { ...deps, metrics: createMetrics('evaluation') };
    service = await startEvaluation(started, testConfig({ isOnlyInstance, holdFor: 3_600_000 }));
  };
  const listed = async () => {
    const documents = await deps.store.collection<DeliveryDocument>('deliveries');
    return new Map((await documents.find({}).toArray()).map((delivery) => [delivery.order_id, delivery]));
  };

  test('are deliveries under their keys, also where that was interrupted, and the log has their entries', async () => {
    const key = (index: number) => ({ ...ended, _id: `payment:${index}:1:0`, context: effect(index).context });
    const sent = 'erp.example was called and answered 200.';
    await (await effects()).insertMany([
      effect(1),
      effect(2, { delivered: sent }),
      { ...key(3), state: 'done', delivered: sent, error: null },
      { ...key(4), state: 'failed', tries: 5, error: 'erp.example answered 400.' },
    ]);
    await start(true);
    expect(await (await effects()).countDocuments({})).toBe(0);
    const found = await listed();
    expect(found.size).toBe(4);
    expect(found.get(1)).toMatchObject({
      state: 'pending',
      kind: 'webhook',
      target: 'http://127.0.0.1:1/hook/1',
      process_id: 'proc_1',
    });
    expect(found.get(2)).toMatchObject({ state: 'delivered' });
    expect(found.get(3)).toMatchObject({
      state: 'delivered',
      attempts_made: 3,
      reason: null,
      created_at: queuedAt,
    });
    expect(found.get(4)).toMatchObject({ state: 'failed', reason: 'erp.example answered 400.' });
    const uid = 'evt_2:action:1:0:success';
    await waitFor(() => peers.entries.has(uid), { timeout: 90_000 });
    expect(peers.entries.get(uid)?.summary).toBe(`Order 2: Send webhook (rule "Tell the ERP"): ${sent}`);
    expect([...peers.entries.keys()].filter((uid) => uid.startsWith('evt_3'))).toEqual([]);
    await service?.close();

    // The last of them was a delivery already and not removed yet.
    await (await effects()).insertMany([effect(1), { ...key(3), state: 'done' }]);
    await start(true);
    expect(await (await effects()).countDocuments({})).toBe(0);
    expect((await listed()).size).toBe(4);
  });

  test('what an instance of that version may be sending is left to it', async () => {
    await (await effects()).insertMany([effect(1, { due: clock.now() + 30_000 }), effect(2)]);
    await start(false);
    expect((await (await effects()).find({}).toArray()).map(({ _id }) => _id)).toEqual(['payment:1:1:0']);
    expect([...(await listed()).keys()]).toEqual([2]);
  });
});
