import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secret } from '@order-automation/service';
import { authorized } from '../src/woocommerce/authorization';
import { deliveries, shapeOf } from './woocommerce-recorded';
import { startWooCommerce, type WooCommerceServer } from './woocommerce-server';
import { signatureOf } from './woocommerce-server/deliveries';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

const word = 'a-secret-for-the-recording';
let server: WooCommerceServer;
let receiver: Server;
let received: Received[] = [];
let answer = 200;

beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    received.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
    res.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  received = [];
  answer = 200;
  server = await startWooCommerce();
  for (const topic of ['order.created', 'order.updated', 'order.deleted']) await save('POST', 'webhooks', { topic });
});
afterEach(() => server.close());
afterAll(() => receiver.close());

async function save(method: string, path: string, fields: object): Promise<{ id: number; status: string }> {
  const delivery_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/webhooks/gateway_shop`;
  const target = new URL(`${server.url}/wp-json/wc/v3/${path}`);
  const credentials = { key: secret(server.key.key), secret: secret(server.key.secret) };
  const { url } = authorized(method, target, credentials, Date.now());
  const body = JSON.stringify({ secret: word, ...(method === 'POST' ? { delivery_url } : {}), ...fields });
  return (await (await fetch(url, { method, body })).json()) as { id: number; status: string };
}
/** What has come since the last time: topic and status of the order. */
async function delivered(): Promise<unknown[]> {
  await server.deliver();
  const come = received.splice(0);
  return come.map(({ headers, body }) => [headers['x-wc-webhook-topic'], body && JSON.parse(body)]);
}
const pinged = async (): Promise<Received[]> => {
  await server.deliver();
  return received.splice(0);
};

test('a webhook that is saved sends a ping: a form without a signature', async () => {
  const pings = await pinged();
  const [recorded] = deliveries;
  expect(pings.map(({ body }) => body.replace(/\d+/, '4'))).toEqual([1, 2, 3].map(() => recorded?.delivery.body));
  expect(pings[0]?.headers).toMatchObject(recorded?.delivery.headers ?? {});
  expect(pings[0]?.headers).not.toHaveProperty('x-wc-webhook-signature');
  expect(await pinged()).toEqual([]);
});

test.each(deliveries.slice(1).map((one, at) => [at, one.name, one.delivery] as const))(
  'recorded delivery %i, %s: its signature is that over its body',
  (_at, _name, { headers, body, secret: theirs }) =>
    expect(signatureOf(body, theirs)).toBe(headers['x-wc-webhook-signature']),
);

test('a delivery has the headers of a recorded one, is signed, and carries the fields of an order in their order', async () => {
  await pinged();
  server.putOrder(384, { status: 'processing' });
  const [created] = await pinged();
  const recorded = deliveries.find(({ name }) => name === 'delivery order.created processing')?.delivery;
  const varies = ['signature', 'id', 'delivery-id', 'source'].map((name) => `x-wc-webhook-${name}`);
  const alike = Object.entries(recorded?.headers ?? {}).filter(([name]) => !varies.includes(name));
  expect(created?.headers).toMatchObject(Object.fromEntries(alike));
  for (const name of varies) expect(created?.headers[name]).toBeTruthy();
  expect(created?.headers['x-wc-webhook-signature']).toBe(signatureOf(created?.body ?? '', word));
  const fieldsOf = (body = '{}') => (shapeOf(JSON.parse(body)) as [string, unknown][]).map(([name]) => name);
  expect(fieldsOf(created?.body)).toEqual(fieldsOf(recorded?.body));
});

test('an order goes out as it is when it is sent, and as an error once it is gone', async () => {
  await pinged();
  server.putOrder(398, { status: 'pending' });
  server.trash(398);
  const trashed = expect.objectContaining({ id: 398, status: 'trash' });
  expect(await delivered()).toEqual([
    ['order.created', trashed],
    ['order.updated', trashed],
    ['order.deleted', { id: 398 }],
  ]);
  server.putOrder(399, { status: 'pending' });
  server.orders.delete(399);
  const recorded = JSON.parse(deliveries.at(-1)?.delivery.body ?? '');
  expect(await delivered()).toEqual([
    ['order.created', recorded],
    ['order.updated', recorded],
  ]);
});

test('a draft is updated, and created once it is placed', async () => {
  await pinged();
  server.putOrder(393, { status: 'checkout-draft' });
  expect(await delivered()).toMatchObject([['order.updated', { status: 'checkout-draft' }]]);
  server.putOrder(393, { status: 'pending' });
  expect(await delivered()).toMatchObject([
    ['order.created', { status: 'pending' }],
    ['order.updated', { status: 'pending' }],
  ]);
});

/** https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php, failed_delivery */
test('at the seventh failed delivery in a row a webhook is switched off; switched on again, at the next one', async () => {
  await pinged();
  const updated = () => server.webhooks.find(({ topic }) => topic === 'order.updated');
  const change = async (): Promise<number> => {
    server.putOrder(500, { customer_note: 'again' });
    return (await delivered()).length;
  };
  await change();
  answer = 503;
  for (let failed = 0; failed < 6; failed += 1) await change();
  answer = 200;
  await change();
  answer = 503;
  for (let failed = 0; failed < 6; failed += 1) await change();
  expect(updated()?.status).toBe('active');
  await change();
  expect(updated()?.status).toBe('disabled');
  answer = 200;
  expect(await change()).toBe(0);
  await save('PUT', `webhooks/${updated()?.id}`, { status: 'active' });
  answer = 503;
  await change();
  expect(updated()?.status).toBe('disabled');
  answer = 200;
  await save('PUT', `webhooks/${updated()?.id}`, { status: 'active' });
  expect(await change()).toBe(1);
});
