import { createHmac } from 'node:crypto';
import { inPayloads, own, underNames } from './canaries';
import type { Ask, Caller } from './canary-caller';
import { cardPayment, cardSignature } from './card-webhook';
import { freePort } from './product';

/** Texts of customers, and the same texts again below names, in lists and in numbers. */
const loaded = {
  ...inPayloads,
  ...underNames,
  note: Object.values(inPayloads).join(' and '),
  deep: { list: [Object.values(inPayloads), { ...underNames }] },
  number: 4242424242424242,
};

/** A rule whose actions fail: nobody listens at the addresses. */
export async function makeFailingRule({ client }: Caller): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}/hook`;
  const secondaryActions = [
    { id: 'send_webhook', settings: { url, secret_ref: 'given', event: 'order.paid' } },
    { id: 'send_email', settings: { to: 'boss@shop.example', subject: 'Paid', body: 'Order {{order.number}}' } },
  ];
  const rule = { trigger: { id: 'order_processing', settings: {} }, conditions: [], primaryAction: null };
  await client('POST', '/v1/rules', { name: 'Tell', enabled: true, rule: { ...rule, secondaryActions } });
}

/** Webhooks that are accepted, and some that are refused for every reason there is. */
export async function sendWebhooks({ ask, secrets, made, admin }: Caller): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const { body } = cardPayment({ key: 'canary', orderId: 8001, created: now });
  const event = JSON.parse(body.toString());
  Object.assign(event.data.object, { description: loaded.note, extra: loaded });
  Object.assign(event.data.object.metadata, inPayloads, underNames);
  const bytes = Buffer.from(JSON.stringify(event));
  const signed = { 'card-signature': cardSignature(secrets.cardSecret, bytes, now), cookie: `session=${own.cookie}` };
  const forged = { 'card-signature': `t=${now},v1=${own.wrongSignature}`, authorization: `Bearer ${own.wrongBearer}` };
  const generic = { ...loaded, event_type: 'payment_completed', order_id: 8002, transaction_id: 'tx_canary' };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const hmac = createHmac('sha256', made.rotatedSecret ?? '')
    .update(JSON.stringify({ ...generic, order_id: 8003, transaction_id: 'tx_2' }))
    .digest('hex');
  const accepted = [
    await ask('POST', '/v1/webhooks/gateway_card', { raw: bytes, headers: signed }),
    await ask('POST', '/v1/webhooks/generic/erp', { json: generic, headers: bearer(own.connectionSecret) }),
    await ask('POST', '/v1/webhooks/generic/made', {
      json: { ...generic, order_id: 8003, transaction_id: 'tx_2' },
      headers: { 'x-signature': hmac },
    }),
  ];
  for (const answer of accepted) expect(await answer.json()).toMatchObject({ success: true });
  const refused: [string, Ask][] = [
    ['gateway_card', { raw: bytes, headers: forged }],
    ['gateway_card', { json: loaded, headers: { 'stripe-signature': Object.values(underNames).join() } }],
    ['generic/erp', { json: generic, headers: bearer(own.wrongBearer) }],
    ['generic/made', { json: generic, headers: { 'x-signature': own.wrongSignature } }],
    ['generic/nobody', { json: generic, headers: bearer(own.wrongBearer) }],
    ['generic', { json: generic, headers: { cookie: `session=${own.cookie}` } }],
    ['gateway_wallet', { json: loaded, headers: { 'wallet-transmission-sig': own.wrongSignature } }],
    [
      'gateway_wallet',
      {
        raw: new URLSearchParams(inPayloads).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    ['gateway_shop', { json: loaded, headers: { 'x-wc-webhook-signature': own.wrongSignature } }],
    [`no_gateway?token=${own.inQuery}`, { json: loaded }],
    ['gateway_card', { raw: `{"broken": "${loaded.note}`, headers: forged }],
    ['gateway_card', { raw: Buffer.from(`${loaded.note} `.repeat(2_000)), headers: forged }],
    ['gateway_card', { json: loaded, headers: { ...forged, 'content-encoding': 'gzip' } }],
  ];
  for (const [to, how] of refused) {
    const answer = await ask('POST', `/v1/webhooks/${to}`, how);
    expect([to, await answer.json()]).toEqual([to, expect.objectContaining({ success: false })]);
  }
  await ask('POST', '/v1/webhooks/import?gateway=generic', {
    raw: JSON.stringify({ ...generic, order_id: 8004, transaction_id: 'tx_3' }),
    headers: { ...admin, 'content-type': 'application/x-ndjson' },
  });
}

/** Requests that the interface refuses. */
export async function sendMistakes({ ask, admin: headers }: Caller): Promise<void> {
  const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const settings = { ...loaded, send_emails: inPayloads['live key'] };
  const rule = {
    trigger: { id: 'no_such_trigger', settings: loaded },
    conditions: [{ id: 'order_total', settings: { operator: inPayloads['bearer token'], amount: own.inQuery } }],
    primaryAction: { id: 'change_status_to_completed', settings },
    secondaryActions: [{ id: 'send_webhook', settings: { url: inPayloads['credentials in an address'] } }],
  };
  const mistakes: [string, string, Ask][] = [
    ['POST', '/v1/auth/login', { json: { username: 'admin', password: own.wrongPassword } }],
    ['POST', '/v1/auth/login', { json: { username: own.wrongPassword, password: own.wrongPassword } }],
    ['PUT', '/v1/auth/password', { json: { current: own.wrongPassword, new: own.newPassword }, headers }],
    ['GET', '/v1/rules', { headers: { authorization: basic(own.wrongApplicationPassword) } }],
    ['GET', '/pro/v1/licence', { headers: { authorization: `Bearer ${own.wrongBearer}` } }],
    ['GET', '/v1/rules', { headers: { cookie: `order_automation_session=${own.cookie}` } }],
    [
      'POST',
      '/v1/audit-log/render-components',
      { json: { log_id: 1 }, headers: { ...headers, 'x-host-nonce': own.wrongNonce } },
    ],
    ['GET', `/v1/rules?token=${own.inQuery}&page=${own.inQuery}`, { headers }],
    ['GET', `/v1/audit-log?source=${own.inQuery}&date_from=${own.inQuery}`, { headers }],
    ['GET', `/v1/nothing?key=${own.inQuery}`, { headers }],
    ['POST', '/v1/rules', { json: { name: 'Wrong', rule, extra: loaded }, headers }],
    [
      'POST',
      '/v1/rules',
      { json: { name: 'Wrong', rule: { ...rule, trigger: { id: 'order_processing', settings } } }, headers },
    ],
    [
      'POST',
      '/v1/rules',
      { raw: `{"name": "${own.inQuery}`, headers: { ...headers, 'content-type': 'application/json' } },
    ],
    ['POST', '/v1/rules', { raw: `name: [${own.inQuery}`, headers: { ...headers, 'content-type': 'text/plain' } }],
    [
      'POST',
      '/v1/rules/import',
      { raw: `rules: [${own.inQuery}`, headers: { ...headers, 'content-type': 'application/yaml' } },
    ],
    ['POST', '/v1/webhooks', { json: { name: 'bad', auth_method: 'hmac', secret: [own.inQuery] }, headers }],
    ['PUT', '/v1/secrets/bad', { json: { value: 'short', extra: own.inQuery }, headers }],
    ['POST', '/v1/shop/import', { json: { orders: [loaded], products: [loaded] }, headers }],
    ['POST', '/pro/v1/debug-rule/test', { json: { order_id: 8001, rule_data: rule }, headers }],
  ];
  for (const [method, path, how] of mistakes) {
    const { status } = await ask(method, path, how);
    expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true]);
  }
}
