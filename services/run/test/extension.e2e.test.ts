import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product, startEmbedded } from './product';
import { apiClient, newSecrets } from './product-client';

const secret = 'bank-secret-0123456789';
const secrets = newSecrets();
let directory: string;
let product: Product;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'order-automation-extension-'));
  const env = {
    ...secrets.env,
    DATA_DIR: directory,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO_SHOP: 'true',
    EXTENSIONS: join(__dirname, '../../../docs/guide/examples/bank-transfer.mjs'),
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
