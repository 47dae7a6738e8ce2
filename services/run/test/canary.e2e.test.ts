import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { found, inPayloads, needles, own, underNames } from './canaries';
import { type Caller, callerOf } from './canary-caller';
import { makeFailingRule, sendMistakes, sendWebhooks } from './canary-story';
import { freePort, type Product } from './product';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Running } from './products';
import { storedDocuments } from './stored-documents';

type Logs = { readonly logs: { readonly id: number; readonly event_type: string }[] };

/** Everything that can be read over HTTP; the answers are kept. */
async function readEverything({ ask, admin: headers, answers }: Caller): Promise<void> {
  const { nonce } = (await (await ask('GET', '/v1/auth/nonce', { headers })).json()) as { nonce: string };
  answers.pop();
  const all = 'view=flat&include_debug=true&include_test=true';
  const { logs } = (await (await ask('GET', `/v1/audit-log?${all}&per_page=200`, { headers })).json()) as Logs;
  for (const path of [`export?${all}`, `export?format=csv&${all}`, 'filter-options', 'heads', 'verify'])
    await ask('GET', `/v1/audit-log/${path}`, { headers });
  for (let start = 0; start < logs.length; start += 50)
    await ask('POST', '/v1/audit-log/render-components/batch', {
      json: { log_ids: logs.slice(start, start + 50).map(({ id }) => id), include_debug: true },
      headers: { ...headers, 'x-host-nonce': nonce },
    });
  const events = (await (await ask('GET', '/v1/webhooks/events', { headers })).json()) as { events: { id: string }[] };
  expect(events.events.length).toBeGreaterThanOrEqual(4);
  for (const { id } of events.events) await ask('GET', `/v1/webhooks/events/${id}`, { headers });
  const lists = [
    'webhooks',
    'webhooks/gateways',
    'webhooks/gateways/gateway_card/secrets',
    'webhooks/dead-letters',
    'webhooks/health',
    'secrets',
    'rules',
    'rules/export',
  ];
  for (const path of [...lists, 'auth/users', 'auth/sessions', 'auth/application-passwords', 'openapi.json'])
    await ask('GET', `/v1/${path}`, { headers });
}

/** What the services count, all of them. */
async function metricsOf({ started }: Product): Promise<string> {
  const ports = new Set([...started.values()].map(({ ops }) => ops));
  const texts = await Promise.all(
    [...ports].map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  return texts.join('\n');
}

/** Waits until the log has the webhooks, and the e-mail and the outbound webhook have failed; resolves with the metrics. */
async function settled({ client, product }: Running): Promise<string> {
  await waitFor(
    async () => {
      const { logs } = await client<Logs>('GET', '/v1/audit-log?view=flat&per_page=200&include_debug=true');
      const types = logs.map(({ event_type }) => event_type);
      return types.filter((type) => type === 'webhook_rejected').length >= 12 && types.includes('rule_evaluation');
    },
    { timeout: 30_000, describe: 'the log of accepted and refused webhooks' },
  );
  return waitFor(
    async () => {
      const text = await metricsOf(product);
      const failed = (kind: string) =>
        new RegExp(`deliveries_total\\{[^}]*kind="${kind}",result="(?!delivered)`).test(text);
      return failed('webhook') && failed('email') && text;
    },
    { timeout: 30_000, describe: 'an e-mail and an outbound webhook that failed' },
  );
}

describeProducts('no secret leaves the place where it belongs', (start, mode) => {
  let running: Running;

  beforeAll(async () => {
    running = await start({
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://mailer:${own.smtpPassword}@127.0.0.1:${await freePort()}`,
      SMTP_FROM: 'shop@shop.example',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
  }, 60_000);
  afterAll(() => running?.stop(), 60_000);

  test('none is in log, metrics, answers, the audit log, or the databases outside of received bytes', async () => {
    const caller = callerOf(running);
    await importOrders(running.client, payableOrders(8001, 4));
    await caller.makeSecrets();
    await makeFailingRule(caller);
    await sendMistakes(caller);
    await sendWebhooks(caller);
    const metrics = await settled(running);
    await readEverything(caller);
    await running.product.stop();

    const { secrets, env } = running;
    const operators = {
      'admin password': env.ADMIN_PASSWORD ?? '',
      'administrator’s application password': secrets.applicationPassword,
      'card secret': secrets.cardSecret,
      'secret key': env.SECRET_KEY ?? '',
    };
    const ours = { ...own, ...caller.made, ...operators };
    const sought = needles({ ...inPayloads, ...underNames, ...ours });
    expect(Object.keys({ ...inPayloads, ...underNames, ...ours }).length).toBeGreaterThanOrEqual(30);

    const documents = await storedDocuments(running);
    expect(documents.length).toBeGreaterThan(100);
    const texts = [
      ...[...readFileSync(running.logFile, 'utf8').split('\n'), metrics].map(
        (text) => ['log or metrics', text] as const,
      ),
      ...caller.answers.map((text) => ['answer', text] as const),
      ...documents,
    ];
    const leaks = texts.flatMap(([where, text]) => {
      const names = found(text, sought);
      return names.length === 0 ? [] : [{ where, names, text: text.slice(0, 1_500) }];
    });
    expect(leaks).toEqual([]);
    if (mode === 'distributed') return;
    // The files themselves, free pages included: received bytes have nothing of ours.
    const folder = env.DATA_DIR ?? '';
    for (const file of readdirSync(folder).filter((name) => name !== 'generated.env')) {
      const bytes = readFileSync(join(folder, file), 'latin1');
      expect([file, found(bytes, needles(ours))]).toEqual([file, []]);
    }
  }, 120_000);
});
