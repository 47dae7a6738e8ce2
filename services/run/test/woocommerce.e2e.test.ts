import { execFile, execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@order-automation/testing';
import { startWooCommerce, type WooCommerceServer } from '../../shop/test/woocommerce-server';
import { type Product, startEmbedded } from './product';
import { apiClient, type Client, newSecrets } from './product-client';
import { payment, post, postSigned } from './products';

/** The embedded product on the orders of a WooCommerce shop, over https with a certificate of its own. */

const secrets = newSecrets();
const shopSecret = randomBytes(16).toString('hex');
let folder: string;
let shop: WooCommerceServer;
let product: Product;
let client: Client;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'order-automation-woocommerce-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  shop = await startWooCommerce({ tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } });
  await start(cert);
}, 90_000);
afterAll(async () => {
  await product?.stop();
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function start(cert = join(folder, 'cert.pem')): Promise<void> {
  const env = {
    ...secrets.env,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'data'),
    SHOP_CONNECTOR: 'woocommerce',
    WOOCOMMERCE_URL: shop.url,
    // What the payments of these tests name.
    SHOP_URL: 'https://shop.example',
    WOOCOMMERCE_KEY: shop.key.key,
    WOOCOMMERCE_SECRET: shop.key.secret,
    OUTBOUND_ALLOW: '127.0.0.1',
    GATEWAY_SHOP_SECRETS: shopSecret,
    NODE_EXTRA_CA_CERTS: cert,
  };
  product = await startEmbedded({ env, log: 'ignore' });
  client = apiClient(product.port, secrets);
  url = `http://127.0.0.1:${product.port}`;
}

type Logs = { logs: { event_type: string; summary: string; status: string }[] };
const logOf = async (processId: string) => (await client<Logs>('GET', `/v1/audit-log/process/${processId}`)).logs;
const finished = (processId: string, timeout = 20_000) =>
  waitFor(
    async () => {
      const logs = await logOf(processId).catch(() => []);
      return logs.some(({ event_type }) => event_type === 'process_completed') && logs;
    },
    { timeout, describe: `the end of ${processId}` },
  );
const pay = (key: string, order: number) => postSigned({ url, secrets }, payment(key, order));
const transitions = (id: number) => shop.transitions.filter(({ order_id }) => order_id === id);
const writes = (id: number) =>
  shop.calls
    .filter(({ method, path }) => method !== 'GET' && path.includes(`orders/${id}`))
    .map(({ method }) => method);
const paidNotes = (id: number) => shop.notesOf(id).filter(({ note }) => note.startsWith('Paid 49.00'));

test('a new installation has no rule of its own, and its settings are filled from the shop', async () => {
  expect(await client('GET', '/v1/rules')).toMatchObject({ rules: [] });
  shop.products.push({ id: 501, name: 'Green tea', slug: 'green-tea', sku: 'TEA-1' });
  const { results } = await client<{ results: unknown[] }>(
    'GET',
    '/v1/rule-builder/search-content?source=products&search=tea',
  );
  expect(results).toMatchObject([{ value: '501', label: 'Green tea (TEA-1, #501)' }]);
  const rule = {
    trigger: { id: 'order_processing', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gte', amount: 20 } }],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [
      {
        id: 'add_order_note',
        settings: { note_text: 'Paid {{order.total}}', is_customer_note: true, add_timestamp: false },
      },
      { id: 'add_order_tag', settings: { tag: 'paid' } },
    ],
  };
  await client('POST', '/v1/rules', { name: 'Complete what is paid', enabled: true, rule });
});

test('the commands of the guide work', async () => {
  const text = readFileSync(join(__dirname, '../../../docs/guide/woocommerce.md'), 'utf8');
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command).join('\n');
  const env = {
    ...process.env,
    WOOCOMMERCE_URL: shop.url,
    WOOCOMMERCE_KEY: shop.key.key,
    WOOCOMMERCE_SECRET: shop.key.secret,
    CURL_CA_BUNDLE: join(folder, 'cert.pem'),
    BASE: url,
    ADMIN_APPLICATION_PASSWORD: secrets.applicationPassword,
  };
  // This installation's secrets were given, not generated.
  const script = commands.replace(/^\. .*generated\.env"$/m, '');
  // Not execFileSync: the shop of this test answers from this process.
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env });
  expect(stdout).toContain('"value":"wc-ready-to-ship"');
});

async function webhook(topic: string, payload: unknown) {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', shopSecret).update(body).digest('base64');
  const headers = { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signature };
  return (await post(url, { gateway: 'gateway_shop', body, headers })).answer;
}

test('a webhook of the shop about a new order fires a rule', async () => {
  const rule = {
    trigger: { id: 'webhook_event', settings: { event_types: ['order_created'], gateways: ['gateway_shop'] } },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'seen' } }],
  };
  const { rule_id } = await client<{ rule_id: number }>('POST', '/v1/rules', {
    name: 'Tag what is new',
    enabled: true,
    rule,
  });
  const answer = await webhook('order.created', shop.putOrder(1000, { status: 'pending', total: '49.00' }));
  expect(answer).toMatchObject({ success: true, events_processed: 1 });
  await finished(answer.process_id);
  expect(shop.orders.get(1000)?.meta_data).toContainEqual(
    expect.objectContaining({ key: '_order_tags', value: ['seen'] }),
  );
  await client('DELETE', `/v1/rules/${rule_id}`);
});

/**
 * https://woocommerce.com/document/woocommerce-rest-api/, "Server does not support Basic authentication": Apache with CGI removes the header. Cloudflare's
 * "Flexible" is such a proxy: developer.wordpress.org/reference/functions/is_ssl/ ("behind a load balancer"). WooCommerce checks a signature for the address with
 * the scheme that it sees: check_oauth_signature() of class-wc-rest-authentication.php.
 */
test.each([
  ['a web server that begins to remove the header Authorization: requests are signed', 'dropsAuthorization', 1190],
  ['https that begins to end at a proxy: requests are signed for what WordPress sees', 'isBehindProxy', 1191],
] as const)('%s from then on', async (_what, change, order) => {
  shop.putOrder(order, { status: 'pending', total: '49.00' });
  shop[change] = true;
  const { process_id } = await pay(change, order);
  await finished(process_id, 60_000);
  expect(shop.orders.get(order)?.status).toBe('completed');
  shop[change] = false;
});

/**
 * An action hands over an id (https://github.com/woocommerce/woocommerce/issues/20336), a copy of the shop has our webhooks
 * (https://carticy.com/snippets/stop-woocommerce-webhooks-from-firing-on-staging-sites/), a write makes an order of a subscription
 * (https://github.com/woocommerce/woocommerce/issues/63936).
 */
test('a webhook of an action fires its rule; that of a copy of the shop, or about a subscription, changes nothing', async () => {
  const action = 'woocommerce_payment_complete';
  const event_types = [`payment.shop.action_${action}`, 'payment.shop.order_updated'];
  const rule = {
    trigger: { id: 'webhook_event', settings: { event_types, gateways: ['gateway_shop'] } },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'acted' } }],
  };
  const saved = { name: 'Tag what is paid', enabled: true, rule };
  const { rule_id } = await client<{ rule_id: number }>('POST', '/v1/rules', saved);
  for (const id of [1501, 1502, 1503]) shop.putOrder(id, { status: 'on-hold', total: '49.00' });
  shop.otherKinds.add(1503);
  const tagged = (id: number) => shop.orders.get(id)?.meta_data.some(({ key }) => key === '_order_tags') === true;
  await finished((await webhook(`action.${action}`, { action, arg: 1501 })).process_id);
  expect(tagged(1501)).toBe(true);
  const states = async (processId: string) => {
    const query = `/v1/webhooks/events?process_id=${processId}`;
    return (await client<{ events: { state: string }[] }>('GET', query)).events.map(({ state }) => state);
  };
  const copy = await webhook('order.updated', { ...shop.orders.get(1502), order_key: 'wc_order_copy' });
  await waitFor(async () => (await states(copy.process_id)).join() === 'done');
  const subscription = await webhook(`action.${action}`, { action, arg: 1503 });
  await waitFor(async () => (await states(subscription.process_id)).join() === 'waiting');
  expect([tagged(1502), tagged(1503), shop.otherKinds.has(1503)]).toEqual([false, false, true]);
  await client('PUT', `/v1/rules/${rule_id}`, { enabled: false });
});

test('what a person does in WooCommerce fires order triggers, once, by its webhook; a refund over REST is in the shop', async () => {
  const tagging = async (id: string, tag: string) => {
    const secondaryActions = [{ id: 'add_order_tag', settings: { tag } }];
    const rule = { trigger: { id, settings: {} }, conditions: [], primaryAction: null, secondaryActions };
    return (await client<{ rule_id: number }>('POST', '/v1/rules', { name: tag, enabled: true, rule })).rule_id;
  };
  const rules = [await tagging('order_created', 'new'), await tagging('order_on_hold', 'held')];
  rules.push(await tagging('refund_created', 'refunded'));
  const tags = (id: number) => shop.orders.get(id)?.meta_data.find(({ key }) => key === '_order_tags')?.value;
  const deliver = async (topic: string, id: number) => {
    const body = JSON.stringify(shop.orders.get(id));
    const signature = createHmac('sha256', shopSecret).update(body).digest('base64');
    const headers = { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signature };
    expect((await post(url, { gateway: 'gateway_shop', body, headers })).answer.success).toBe(true);
  };
  shop.putOrder(1100, { status: 'pending', total: '49.00' });
  await deliver('order.created', 1100);
  await waitFor(() => String(tags(1100)).includes('new'));
  shop.putOrder(1100, { status: 'on-hold' });
  await deliver('order.updated', 1100);
  await deliver('order.updated', 1100);
  await waitFor(() => String(tags(1100)).includes('held'));
  const made = await client<{ id: number }>('POST', '/v1/shop/orders/1100/refunds', { amount: '9.00' });
  expect(shop.refundsOf(1100)).toMatchObject([{ id: made.id, amount: '9.00' }]);
  expect(await client('GET', '/v1/shop/orders/1100/refunds')).toMatchObject({
    refunds: [{ id: made.id, amount: '9.00' }],
  });
  await waitFor(() => String(tags(1100)).includes('refunded'));
  await deliver('order.updated', 1100);
  type Entries = { logs: { event_type: string; summary: string }[] };
  const entries = async () => (await client<Entries>('GET', '/v1/audit-log?view=flat&order_id=1100&per_page=200')).logs;
  await waitFor(
    async () => (await entries()).filter(({ event_type }) => event_type === 'action_executed').length === 3,
  );
  const logged = (await entries()).filter(({ event_type }) => /^(order|refund)_/.test(event_type));
  expect(logged.map(({ summary }) => summary).reverse()).toEqual([
    'Order 1100 was created with status pending by WooCommerce.',
    'Order 1100 changed from pending to on-hold by WooCommerce.',
    `Order 1100: 9.00 USD of 49.00 USD was recorded as refunded by admin (refund ${made.id}).`,
  ]);
  for (const id of rules) await client('DELETE', `/v1/rules/${id}`);
}, 90_000);

test('a signed card webhook completes the order in the shop, once', async () => {
  shop.putOrder(1001, { status: 'pending', total: '49.00' });
  const answer = await pay('woo_1', 1001);
  expect(answer).toMatchObject({ success: true, events_processed: 1 });
  const logs = await finished(answer.process_id);
  expect(logs.map(({ event_type }) => event_type)).toContain('webhook_received');
  expect(transitions(1001)).toEqual([{ order_id: 1001, from: 'pending', to: 'completed' }]);
  expect(paidNotes(1001)).toMatchObject([{ customer_note: true }]);
  expect(shop.orders.get(1001)?.meta_data).toContainEqual(
    expect.objectContaining({ key: '_order_tags', value: ['paid'] }),
  );
  await waitFor(async () => {
    const types = (await logOf(answer.process_id)).map(({ event_type }) => event_type);
    return types.includes('order_status_changed');
  });
  expect(await pay('woo_1', 1001)).toMatchObject({ success: true, events_processed: 0, duplicate: true });
  expect(writes(1001)).toEqual(['PUT', 'POST']);
  const view = await client<{ status: string; notes: { note: string; author: string }[] }>(
    'GET',
    '/v1/shop/orders/1001',
  );
  expect(view.status).toBe('completed');
  expect(view.notes.filter(({ author }) => author === 'automation').map(({ note }) => note)).toEqual(['Paid 49.00']);
});

test.each(['PUT', 'POST'])(
  'the process is killed between a %s that the shop carried out and its answer: still once',
  async (method) => {
    const id = method === 'PUT' ? 1002 : 1003;
    shop.putOrder(id, { status: 'pending', total: '49.00' });
    let killed: Promise<void> | undefined;
    shop.fault = (call) => {
      if (killed || call.method !== method) return undefined;
      killed = product.kill();
      return 'cut';
    };
    const { process_id } = await pay(`woo_kill_${id}`, id);
    await waitFor(() => killed !== undefined);
    await killed;
    shop.fault = () => undefined;
    expect(transitions(id)).toHaveLength(1);
    await start();
    await finished(process_id, 60_000);
    expect(transitions(id)).toEqual([{ order_id: id, from: 'pending', to: 'completed' }]);
    expect(paidNotes(id)).toHaveLength(1);
    const logs = await logOf(process_id);
    expect(logs.filter(({ status }) => status === 'error')).toEqual([]);
  },
  120_000,
);

test('a shop that is away: the webhook is taken, readiness says why, and the order is completed when the shop is back', async () => {
  shop.putOrder(1004, { status: 'pending', total: '49.00' });
  shop.fault = () => ({ reply: { status: 503, body: 'maintenance' } });
  const answer = await pay('woo_away', 1004);
  expect(answer.success).toBe(true);
  const ops = product.started.get('embedded')?.ops;
  await waitFor(
    async () => {
      const ready = await fetch(`http://127.0.0.1:${ops}/readyz`);
      return ready.status === 503 && (await ready.text()).includes('WooCommerce answered 503');
    },
    { timeout: 30_000, describe: 'readiness that says what the shop answers' },
  );
  const metrics = await (await fetch(`http://127.0.0.1:${ops}/metrics`)).text();
  expect(metrics).toMatch(/order_automation_shop_requests_total\{[^}]*outcome="failed"[^}]*\} [1-9]/);
  shop.fault = () => undefined;
  await finished(answer.process_id, 60_000);
  expect(transitions(1004)).toHaveLength(1);
}, 90_000);
