import { createHash } from 'node:crypto';
import type { ReceivedWebhook } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { genericWebhook, payloadsOf, receiveOne, start, startPeers } from './intake';

const paid = {
  event: 'payment_refunded',
  webhook_id: '7',
  transaction_id: 't_1',
  order_id: 1,
  amount: '5.00',
  currency: 'EUR',
};
const said = (...values: unknown[]): string => `generic:${JSON.stringify(values)}`;

describeLanes('keys of b457727', (lane) => {
  let deps: LaneDeps;
  let service: Service;

  beforeEach(async () => {
    deps = await lane.deps();
    await startPeers(deps.bus);
    service = await start(deps);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  /** The webhook as the version before stored it: the same document under its key. */
  const storedBefore = async (webhook: ReceivedWebhook, key: string): Promise<void> => {
    expect(await receiveOne(deps.bus, webhook)).toMatchObject({ success: true, duplicate: false });
    const payloads = await payloadsOf(deps);
    const stored = await payloads.findOne({});
    expect(stored?.key).not.toBe(key);
    await payloads.updateOne({ _id: stored?._id ?? '' }, { $set: { key } });
  };

  const { webhook_id: _endpoint, ...plain } = paid;
  test.each<[string, Record<string, unknown>, string]>([
    ['an endpoint’s id', paid, said('erp', 'event', '7')],
    ['a refund', { ...plain, refund_id: 'r1' }, said('erp', 'payment_refunded', '1', 't_1', '5.00', 'EUR', null)],
    [
      'a currency that was none',
      { ...plain, currency: 'IRT' },
      said('erp', 'payment_refunded', '1', 't_1', 'The currency "IRT" is not a currency code of ISO 4217.', null, null),
    ],
    [
      'metadata that named no order',
      { event: 'success', transaction_id: 't_1', id: 'e1', metadata: { order_id: 1 } },
      said('erp', 'success', null, 't_1', null, null, null, 'e1'),
    ],
    [
      'metadata beside another order',
      { event: 'success', transaction_id: 't_1', order_id: 2, metadata: { order_id: 1 } },
      said('erp', 'success', '2', 't_1', null, null, null),
    ],
    ['an idempotency key', { ...plain, idempotency_key: 'k1' }, said('erp', 'event', 'k1')],
  ])('a connection, %s: the same body is a copy, another one is new', async (_what, payload, key) => {
    const fields = { auth_method: 'bearer', secret: 'a secret of sixteen' } as const;
    await deps.bus.request('intake.connection.create.v1', { name: 'erp', fields });
    const by = { connection: 'erp', headers: { authorization: ['Bearer a secret of sixteen'] } };
    const hashed = /^[\x21-\x7e]{1,150}$/.test(key.slice('generic:'.length));
    const sha = createHash('sha256').update(key.slice('generic:'.length)).digest('hex');
    await storedBefore(genericWebhook(payload, by), hashed ? key : `generic#${sha}`);
    expect(await receiveOne(deps.bus, genericWebhook(payload, by))).toMatchObject({ duplicate: true });
    const other = { ...payload, updated_at: '2026-11-25T10:00:00Z', note: 'another' };
    expect(await receiveOne(deps.bus, genericWebhook(other, by))).toMatchObject({ success: true, duplicate: false });
  });

  test('without proof the key covers the body', async () => {
    const webhook = genericWebhook(paid);
    const sha = createHash('sha256').update(webhook.body).digest('hex');
    await storedBefore(webhook, `${said(null, 'event', '7')} ${sha}`);
    expect(await receiveOne(deps.bus, genericWebhook(paid))).toMatchObject({ duplicate: true });
    expect(await receiveOne(deps.bus, genericWebhook({ ...paid, amount: '6.00' }))).toMatchObject({ duplicate: false });
  });
});
