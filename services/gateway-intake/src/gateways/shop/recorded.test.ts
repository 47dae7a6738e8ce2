import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newProcessId, type ReceivedWebhook } from '@order-automation/contracts';
import { type Inspection, inspect } from '../../receiving/inspect';
import { createRouter } from '../router';
import { digestOf, shopAdapter } from './adapter';

/** What WooCommerce 11.0.1 sent to an address of ours, with its signatures. */
type Recorded = { name: string; delivery?: { secret: string; headers: Record<string, string>; body: string } };

const file = join(__dirname, '../../../../shop/test/woocommerce-server/recorded/answers.ndjson');
const lines = readFileSync(file, 'utf8').trim().split('\n');
const recorded = lines.map((line) => JSON.parse(line) as Recorded).filter(({ delivery }) => delivery !== undefined);
const secret = 'a-secret-for-the-recording';
const now = Date.parse('2026-11-25T20:25:00Z');
/** A setting that means other senders. */
const readByNumber = { order_reference: 'number', order_prefix: null } as const;
const router = createRouter([shopAdapter({ secrets: () => [{ value: secret, expiresAt: null }] })]);

function received(name: string, headers: Record<string, string> = {}, body?: string): ReceivedWebhook {
  const found = recorded.find((one) => one.name === `delivery ${name}`)?.delivery;
  if (!found) throw new Error(`nothing was recorded of ${name}`);
  const all = { ...found.headers, ...headers };
  return {
    process_id: newProcessId(now),
    gateway: 'gateway_shop',
    connection: null,
    headers: Object.fromEntries(Object.entries(all).map(([key, value]) => [key, [value]])),
    body: Buffer.from(body ?? found.body),
    received_at: new Date(now).toISOString(),
    refused: null,
  };
}

function look(webhook: ReceivedWebhook): Inspection {
  const parts = { router, connections: { byName: () => undefined, all: () => [] }, readingOf: () => readByNumber };
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const inspection = inspect({ ...parts, secretUses: { note: () => undefined }, onFailure }, webhook, { now });
  if (inspection instanceof Promise) throw new Error('a promise');
  return inspection;
}

function eventOf(webhook: ReceivedWebhook) {
  const inspection = look(webhook);
  if (inspection.kind === 'refused') throw new Error(inspection.refusal.text);
  const [event, ...more] = inspection.events;
  if (!event || more.length > 0) throw new Error(`${inspection.events.length} events`);
  return event;
}

test('fourteen deliveries were recorded', () => expect(recorded).toHaveLength(14));

test.each<[string, string, string | null, string | null]>([
  ['order.created processing', 'order_created', 'order_created', '384'],
  ['order.updated processing', 'order_updated', 'order_updated', '384'],
  ['order.updated refunded', 'order_updated', 'order_updated', '388'],
  ['order.created on-hold', 'order_created', 'order_created', '392'],
  ['order.updated on-hold', 'order_updated', 'order_updated', '392'],
  ['order.updated checkout-draft', 'order_draft', null, '393'],
  ['order.created pending', 'order_created', 'order_created', '393'],
  ['order.updated pending', 'order_updated', 'order_updated', '394'],
  ['order.created trash', 'order_trashed', null, '398'],
  ['order.updated trash', 'order_trashed', null, '398'],
  ['order.deleted', 'order_deleted', null, null],
  ['order.created', 'order_gone', null, null],
  ['order.updated', 'order_gone', null, null],
])('%s is %s', (name, eventId, genericType, order_id) => {
  const event = eventOf(received(name));
  expect(event).toMatchObject({ eventType: `payment.shop.${eventId}`, genericType, authenticated: true });
  expect(event.orderReference).toMatchObject({
    order_id,
    gateway_ids: [],
    transactions: [],
    reading: { order_reference: 'id' },
  });
});

test('says what the order says', () =>
  expect(eventOf(received('order.created processing'))).toMatchObject({
    transactionID: 'pi_recorded_1',
    amount: '50.70',
    currency: 'USD',
    status: 'processing',
    occurredAt: '2026-11-25T20:23:37.000Z',
  }));

test('yen have no decimals', () =>
  expect(eventOf(received('order.updated pending'))).toMatchObject({ amount: '1000', currency: 'JPY' }));

test('the ping is answered and no event', () => {
  expect(look(received('ping'))).toMatchObject({ kind: 'accepted', events: [] });
  for (const body of ['webhook_id=', 'webhook_id=4&x=1', '{"webhook_id":4}'])
    expect(look(received('ping', {}, body))).toMatchObject({ kind: 'refused' });
});

// WooCommerce 9.4 and 10.0.2, webhooks that are delivered at once; github.com/woocommerce/woocommerce/issues/28363
test.each(['rest_no_route', 'rest_api_unavailable'])(
  'the error %s in place of an order is an event that nobody waits for',
  (code) => {
    const body = JSON.stringify({ code, message: 'No route was found.', data: { status: 404 } });
    const signature = digestOf(secret, Buffer.from(body)).toString('base64');
    const event = eventOf(received('order.updated processing', { 'x-wc-webhook-signature': signature }, body));
    expect(event).toMatchObject({ eventType: 'payment.shop.order_error', genericType: null, reason: code });
    expect(event.orderReference.order_id).toBeNull();
  },
);

test.each(['order.created processing', 'order.deleted', 'order.created'])('%s of somebody else is refused', (name) => {
  const signature = digestOf('another secret of theirs', received(name).body as Buffer).toString('base64');
  expect(look(received(name, { 'x-wc-webhook-signature': signature }))).toMatchObject({ kind: 'refused' });
  expect(look(received(name, {}, '{"id":384,"status":"completed"}'))).toMatchObject({ kind: 'refused' });
});

describe('the topic is not signed', () => {
  test.each<[string, string, string]>([
    ['order.updated processing', 'order.deleted', 'order_updated'],
    ['order.updated processing', 'order.completed', 'order_updated'],
    ['order.updated refunded', 'coupon.created', 'order_updated'],
    ['order.updated trash', 'order.created', 'order_trashed'],
    ['order.updated checkout-draft', 'order.created', 'order_draft'],
    ['order.created', 'order.deleted', 'order_gone'],
    ['order.deleted', 'order.created', 'order_deleted'],
  ])('%s with the topic %s is %s', (name, topic, eventId) =>
    expect(eventOf(received(name, { 'x-wc-webhook-topic': topic })).eventType).toBe(`payment.shop.${eventId}`),
  );

  test('an order that was made long ago is not created', () => {
    const name = 'order.created processing';
    const body = String(received(name).body).replace(
      '"date_created_gmt":"2026-11-25T20',
      '"date_created_gmt":"2026-11-25T10',
    );
    const signature = digestOf(secret, Buffer.from(body)).toString('base64');
    expect(eventOf(received(name, { 'x-wc-webhook-signature': signature }, body)).eventType).toBe(
      'payment.shop.order_updated',
    );
  });
});

const signed = (body: string, headers: Record<string, string>): ReceivedWebhook => {
  const signature = digestOf(secret, Buffer.from(body)).toString('base64');
  return received('order.updated processing', { 'x-wc-webhook-signature': signature, ...headers }, body);
};
const changed = (from: string, to: string): ReceivedWebhook => {
  const { body } = received('order.updated processing');
  return signed(String(body).replace(from, to), {});
};

test('an order of a plugin that is switched off, or whose status has its prefix, is an order', () => {
  expect(eventOf(changed('"currency":"USD"', '"currency":""'))).toMatchObject({
    eventType: 'payment.shop.order_updated',
    orderReference: { order_id: '384' },
  });
  expect(eventOf(changed('"status":"processing"', '"status":"wc-completed"')).eventType).toBe(
    'payment.shop.order_completed',
  );
});

/** A copy of the shop sends webhooks too: https://carticy.com/snippets/stop-woocommerce-webhooks-from-firing-on-staging-sites/ */
test('the order key goes along, which tells the order of a copy of the shop from ours', () => {
  const { order_key } = JSON.parse(String(received('order.updated processing').body)) as { order_key: string };
  expect(order_key).toMatch(/^wc_order_/);
  expect(eventOf(received('order.updated processing')).orderReference).toMatchObject({ claims: { order_key } });
  expect(eventOf(received('order.deleted')).orderReference).not.toHaveProperty('claims');
});

test.each([
  ['2026-11-25T22:23:37+02:00', '2026-11-25T20:23:37.000Z'],
  ['2026-11-25T20:23:37Z', '2026-11-25T20:23:37.000Z'],
  ['0000-00-00T00:00:00', null],
])('a time of modification %s is %s', (written, at) => {
  const { body } = received('order.updated processing');
  const changed = JSON.stringify({ ...(JSON.parse(String(body)) as object), date_modified_gmt: written });
  expect(eventOf(signed(changed, {})).occurredAt).toBe(at);
});

/** Bodies of such topics: https://github.com/woocommerce/woocommerce/issues/20336, https://github.com/woocommerce/woocommerce/issues/37958 */
test.each<[string, unknown, string | null]>([
  ['woocommerce_order_payment_status_changed', 2539, '2539'],
  ['woocommerce_order_status_ready-to-ship', '2539', '2539'],
  ['woocommerce_payment_complete', 2539, '2539'],
  ['woocommerce_order_note_added', 77, null],
  ['woocommerce_new_order_item', 77, null],
  ['woocommerce_checkout_order_created', { cart: 1 }, null],
  ['wp_insert_comment2', 77, null],
])('the action %s of %j is about the order %j', (action, arg, order_id) => {
  const deliver = (id: string) =>
    eventOf(
      signed(JSON.stringify({ action, arg }), {
        'x-wc-webhook-topic': `action.${action}`,
        'x-wc-webhook-delivery-id': id,
      }),
    );
  expect(deliver('d1')).toMatchObject({
    eventType: `payment.shop.action_${action}`,
    genericType: null,
    orderReference: { order_id },
  });
  expect(deliver('d1').idempotencyKey).toBe(deliver('d1').idempotencyKey);
  expect(deliver('d1').idempotencyKey).not.toBe(deliver('d2').idempotencyKey);
});

/** Topics of a plugin: https://github.com/wpovernight/woocommerce-pdf-invoices-packing-slips/pull/127 */
test('a topic of a plugin about an order is a change of it', () => {
  const { body } = received('order.updated processing');
  expect(eventOf(signed(String(body), { 'x-wc-webhook-topic': 'order.packing-slip-saved' })).eventType).toBe(
    'payment.shop.order_updated',
  );
});

test('the same delivery is one event; two orders that are gone are two', () => {
  const key = (name: string, headers = {}) => eventOf(received(name, headers)).idempotencyKey;
  expect(key('order.updated processing')).toBe(key('order.updated processing'));
  expect(key('order.updated')).toBe(key('order.updated'));
  expect(key('order.updated')).not.toBe(key('order.created'));
});
