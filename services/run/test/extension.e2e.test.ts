import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { type Product, startEmbedded } from './product';
import { apiClient, newSecrets } from './product-client';

const secret = 'bank-secret-0123456789';
const secrets = newSecrets();
/** The operations of specification 6.4 and the fields of 2.6, and nothing else. */
const smallest = `
class Adapter {
  constructor(gateway) { this.gateway = gateway; }
  getSupportedEventTypes() { return ['settled', 'noted']; }
  canHandle({ payload }) { return typeof payload.id === 'number'; }
  validateAuthenticity({ headers }) { return headers['x-token']?.[0] === 'a-long-shared-token'; }
  normalize({ payload }) {
    return [{ eventType: 'payment.smallest.' + payload.kind, sourceGateway: this.gateway, primaryObjectType: 'order', primaryObjectID: payload.order,
      transactionID: payload.id, amount: payload.amount, currency: 'USD', rawData: payload }];
  }
  computeIdempotencyKey({ payload }) { return 'smallest:' + payload.id; }
  extractTransactionId(payload) { return String(payload.id); }
  extractGatewaySpecificMetadata() { return []; }
  mapEventType(type) { return type === 'settled' ? 'payment_completed' : type; }
}
export const register_gateway_adapters = (router) => router.registerAdapter(new Adapter('smallest'));`;

let directory: string;
let product: Product;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'order-automation-extension-'));
  const own = join(directory, 'smallest.mjs');
  writeFileSync(own, smallest);
  const env = {
    ...secrets.env,
    DATA_DIR: directory,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO_SHOP: 'true',
    EXTENSIONS: `${join(__dirname, '../../../docs/guide/examples/bank-transfer.mjs')} ${own}`,
    BANK_TRANSFER_SECRET: secret,
  };
  product = await startEmbedded({ env, log: 'ignore' });
}, 60_000);
afterAll(async () => {
  await product.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function send(payload: Record<string, unknown>, key = secret): Promise<Record<string, unknown>> {
  const body = JSON.stringify(payload);
  const headers = {
    'content-type': 'application/json',
    'x-bank-signature': createHmac('sha256', key).update(body).digest('hex'),
  };
  const response = await fetch(`http://127.0.0.1:${product.port}/v1/webhooks/gateway_bank`, {
    method: 'POST',
    headers,
    body,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

test('the adapter of the guide works from configuration alone', async () => {
  const transfer = { kind: 'transfer_received', id: 'BT-1', reference: '1004', amount: '89.90', currency: 'EUR' };
  expect(await send(transfer, 'somebody-else-0123456789')).toMatchObject({ success: false });
  const accepted = await send(transfer);
  expect(accepted).toMatchObject({ success: true, events_processed: 1 });
  expect(await send(transfer)).toMatchObject({ success: true, duplicate: true, process_id: accepted.process_id });
  const client = apiClient(product.port, secrets);
  const { gateways } = await client<{ gateways: Record<string, { event_types: Record<string, string> }> }>(
    'GET',
    '/v1/webhooks/gateways',
  );
  expect(Object.keys(gateways.gateway_bank?.event_types ?? {})).toEqual(['transfer_received', 'transfer_returned']);
  const { events } = await client<{ events: unknown[] }>(
    'GET',
    `/v1/webhooks/events?process_id=${accepted.process_id}`,
  );
  expect(events).toMatchObject([
    { event_type: 'payment.bank.transfer_received', authenticated: true, transaction_id: 'BT-1' },
  ]);
});

test('an adapter with the operations of the specification alone moves an order', async () => {
  const post = async (payload: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${product.port}/v1/webhooks/smallest`, {
      method: 'POST',
      headers: { 'x-token': 'a-long-shared-token' },
      body: JSON.stringify(payload),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const client = apiClient(product.port, secrets);
  const { gateways } = await client<{ gateways: Record<string, object> }>('GET', '/v1/webhooks/gateways');
  expect(gateways.smallest).toMatchObject({
    display_name: 'smallest',
    status: 'active',
    supports_testing: false,
    adapter: { version: '1.0.0', supported_events: ['settled', 'noted'] },
  });
  expect(await post({ id: 1, kind: 'noted', order: 1001 })).toMatchObject({ success: true });
  expect(await post({ id: 2, kind: 'settled', order: 1001, amount: 82.4 })).toMatchObject({ success: true });
  await waitFor(async () => (await client<{ status: string }>('GET', '/v1/shop/orders/1001')).status === 'completed');
  expect(await post({ id: 3, kind: 'settled', order: { id: 1001 } })).toMatchObject({
    success: false,
    message: expect.stringContaining('primaryObjectID'),
  });
});
