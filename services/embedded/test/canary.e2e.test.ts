import { createHmac } from 'node:crypto';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import Database from 'better-sqlite3';
import { found, inPayloads, needles, own, underNames } from './canaries';
import { cardPayment, cardSignature } from './card-webhook';
import { freePort, type Product, startEmbedded } from './product';
import { apiClient, type Client, importOrders, newSecrets, payableOrders } from './product-client';

/** Texts of customers, and the same texts again below names, in lists and in numbers. */
const loaded = {
  ...inPayloads,
  ...underNames,
  note: Object.values(inPayloads).join(' and '),
  deep: { list: [Object.values(inPayloads), { ...underNames }] },
  number: 4242424242424242,
};

const secrets = newSecrets();
/** Secrets that come into being while the test runs, by name. */
const made: Record<string, string> = {};
/** Everything that the product answered, but for what shows a new secret once. */
const answers: string[] = [];

let dir: string;
let product: Product;
let client: Client;
let base: string;
let logFile: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'order-automation-canary-'));
  logFile = join(dir, 'product.log');
  const env = {
    ...secrets.env,
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'trace',
    DEMO_SHOP: 'true',
    SMTP_URL: `smtp://mailer:${own.smtpPassword}@127.0.0.1:${await freePort()}`,
    SMTP_FROM: 'shop@shop.example',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  product = await startEmbedded({ env, log: openSync(logFile, 'a') });
  base = `http://127.0.0.1:${product.port}`;
  client = apiClient(product.port, secrets);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type Ask = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string | Buffer;
};

/** Sends a request and keeps its answer. */
async function ask(method: string, path: string, { headers = {}, json, raw }: Ask = {}): Promise<Response> {
  const body = json === undefined ? raw : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  });
  const head = [...answer.headers].filter(([name]) => name !== 'set-cookie');
  answers.push(`${JSON.stringify(head)}\n${await answer.clone().text()}`);
  return answer;
}

const admin = (): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`admin:${secrets.applicationPassword}`).toString('base64')}`,
});

/** Accounts and everything that makes a secret, which is shown once and never again. */
async function makeSecrets(): Promise<void> {
  const login = await fetch(`${base}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: secrets.env.ADMIN_PASSWORD }),
  });
  made.session = /=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '';
  made.nonce = ((await login.json()) as { nonce: string }).nonce;
  const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
  const bySession = async (method: string, path: string, body: unknown) => {
    const headers = { cookie, 'x-host-nonce': made.nonce ?? '', 'content-type': 'application/json' };
    const answer = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    expect([path, answer.status, answer.ok || text]).toEqual([path, answer.status, true]);
    return JSON.parse(text) as Record<string, string>;
  };
  const user = await bySession('POST', '/v1/auth/users', {
    username: 'vera',
    role: 'shop_viewer',
    password: own.userPassword,
  });
  await bySession('PUT', `/v1/auth/users/${user.id}`, { password: own.newPassword });
  made.applicationPassword = (await bySession('POST', '/v1/auth/application-passwords', { name: 'ci' })).password ?? '';
  made.token = (await bySession('POST', '/v1/auth/token', { scope: 'read' })).access_token ?? '';
  await bySession('PUT', '/v1/secrets/given', { value: own.outboundSecret });
  made.outboundSecret = (await bySession('PUT', '/v1/secrets/made', {})).value ?? '';
  const connection = { name: 'erp', auth_method: 'bearer', secret: own.connectionSecret };
  await bySession('POST', '/v1/webhooks', connection);
  made.connectionSecret = (await bySession('POST', '/v1/webhooks', { name: 'made', auth_method: 'hmac' })).secret ?? '';
  const rotated = await bySession('POST', '/v1/webhooks/made/rotate-secret', { overlap_hours: 1 });
  made.rotatedSecret = rotated.secret ?? '';
  expect(Object.entries(made).filter(([, value]) => value.length < 16)).toEqual([]);
}

/** A rule whose actions fail: nobody listens at the addresses. */
async function makeFailingRule(): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}/hook`;
  const secondaryActions = [
    { id: 'send_webhook', settings: { url, secret_ref: 'given', event: 'order.paid' } },
    { id: 'send_email', settings: { to: 'boss@shop.example', subject: 'Paid', body: 'Order {{order.number}}' } },
  ];
  const rule = { trigger: { id: 'order_processing', settings: {} }, conditions: [], primaryAction: null };
  await client('POST', '/v1/rules', { name: 'Tell', enabled: true, rule: { ...rule, secondaryActions } });
}

async function sendWebhooks(): Promise<void> {
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
    headers: { ...admin(), 'content-type': 'application/x-ndjson' },
  });
}

async function sendMistakes(): Promise<void> {
  const headers = admin();
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

type Logs = { readonly logs: { readonly id: number; readonly event_type: string }[] };

/** Everything that can be read over HTTP; the answers are kept. */
async function readEverything(): Promise<void> {
  const headers = admin();
  const { body } = { body: (await (await ask('GET', '/v1/auth/nonce', { headers })).json()) as { nonce: string } };
  answers.pop();
  const all = 'view=flat&include_debug=true&include_test=true';
  const { logs } = (await (await ask('GET', `/v1/audit-log?${all}&per_page=200`, { headers })).json()) as Logs;
  for (const path of [`export?${all}`, `export?format=csv&${all}`, 'filter-options', 'heads', 'verify'])
    await ask('GET', `/v1/audit-log/${path}`, { headers });
  for (let start = 0; start < logs.length; start += 50)
    await ask('POST', '/v1/audit-log/render-components/batch', {
      json: { log_ids: logs.slice(start, start + 50).map(({ id }) => id), include_debug: true },
      headers: { ...headers, 'x-host-nonce': body.nonce },
    });
  const events = (await (await ask('GET', '/v1/webhooks/events', { headers })).json()) as { events: { id: string }[] };
  expect(events.events.length).toBeGreaterThanOrEqual(4);
  for (const { id } of events.events) await ask('GET', `/v1/webhooks/events/${id}`, { headers });
  const lists = [
    'webhooks',
    'webhooks/gateways',
    'webhooks/dead-letters',
    'webhooks/health',
    'secrets',
    'rules',
    'rules/export',
  ];
  for (const path of [...lists, 'auth/users', 'auth/sessions', 'auth/application-passwords', 'openapi.json'])
    await ask('GET', `/v1/${path}`, { headers });
}

/** Every document of every database, without the received bytes of webhooks: the only place that may hold what senders sent. */
function storedDocuments(): [string, string][] {
  const folder = join(dir, 'data');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((file) => {
      const database = new Database(join(folder, file), { readonly: true });
      const tables = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%doc TEXT%'")
        .all();
      const documents = (tables as { name: string }[]).flatMap(({ name }) =>
        (database.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]).map(
          (row): [string, string] => {
            const document = JSON.parse(String(row.doc)) as Record<string, unknown>;
            if (name === 'inbox') delete document.body;
            return [`${file} ${name}`, JSON.stringify({ ...row, doc: document })];
          },
        ),
      );
      database.close();
      return documents;
    });
}

async function metricsOf({ started }: Product): Promise<string> {
  const [ops] = [...started.values()].map(({ ops }) => ops);
  return (await fetch(`http://127.0.0.1:${ops}/metrics`)).text();
}

test('no secret leaves the place where it belongs: not in log, metrics, answers, the audit log, or the databases outside of received bytes', async () => {
  await importOrders(client, payableOrders(8001, 4));
  await makeSecrets();
  await makeFailingRule();
  await sendMistakes();
  await sendWebhooks();
  await waitFor(
    async () => {
      const { logs } = await client<Logs>('GET', '/v1/audit-log?view=flat&per_page=200&include_debug=true');
      const types = logs.map(({ event_type }) => event_type);
      return types.filter((type) => type === 'webhook_rejected').length >= 12 && types.includes('rule_evaluation');
    },
    { timeout: 30_000, describe: 'the log of accepted and refused webhooks' },
  );
  const metrics = await waitFor(
    async () => {
      const text = await metricsOf(product);
      const failed = (kind: string) =>
        new RegExp(`deliveries_total\\{[^}]*kind="${kind}",result="(?!delivered)`).test(text);
      return failed('webhook') && failed('email') && text;
    },
    { timeout: 30_000, describe: 'an e-mail and an outbound webhook that failed' },
  );
  await readEverything();
  await product.stop();

  const operators = {
    'admin password': secrets.env.ADMIN_PASSWORD ?? '',
    'administrator’s application password': secrets.applicationPassword,
    'card secret': secrets.cardSecret,
    'secret key': secrets.env.SECRET_KEY ?? '',
  };
  const private_ = { ...own, ...made, ...operators };
  const sought = needles({ ...inPayloads, ...underNames, ...private_ });
  expect(Object.keys({ ...inPayloads, ...underNames, ...private_ }).length).toBeGreaterThanOrEqual(30);

  const documents = storedDocuments();
  expect(documents.length).toBeGreaterThan(100);
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const texts = [
    ...[...lines, metrics].map((text): [string, string] => ['log or metrics', text]),
    ...answers.map((text): [string, string] => ['answer', text]),
    ...documents,
  ];
  const leaks = texts.flatMap(([where, text]) => {
    const names = found(text, sought);
    return names.length === 0 ? [] : [{ where, names, text: text.slice(0, 1_500) }];
  });
  expect(leaks).toEqual([]);
  // The files themselves, free pages included: received bytes have nothing of ours.
  for (const file of readdirSync(join(dir, 'data')).filter((name) => name !== 'generated.env')) {
    const bytes = readFileSync(join(dir, 'data', file), 'latin1');
    expect([file, found(bytes, needles(private_))]).toEqual([file, []]);
  }
}, 120_000);
