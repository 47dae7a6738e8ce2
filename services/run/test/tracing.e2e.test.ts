import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@order-automation/testing';
import { demonstration } from '../src/demonstration';
import { cardSignature } from './card-webhook';
import { startEmbedded } from './product';
import { apiClient, importOrders, payableOrders } from './product-client';
import { describeProducts, payment, post, postSigned, processLog, type Running, startAlone } from './products';
import { type CollectedSpan, type SpanCollector, spanCollector } from './span-collector';

/** From the bytes to the change of the order, in the order in which each follows from the one before. */
const path = [
  'POST /v1/webhooks/{gateway}',
  'send intake.event-received.v1',
  'process intake.event-received.v1',
  'evaluate event',
  'apply to order',
  'change order',
];
const upstream = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

/** Records the headers of the calls that it gets. */
async function calledServer() {
  const calls: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    calls.push(req.headers);
    req.resume().on('end', () => res.end('thanks'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { calls, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const completeRule = { name: 'Completes', enabled: true, rule: demonstration.rule };
const callRule = (url: string) => ({
  name: 'Calls',
  enabled: true,
  rule: {
    trigger: { id: 'order_completed', settings: {} },
    conditions: [],
    primaryAction: null,
    secondaryActions: [{ id: 'send_webhook', settings: { url, event: 'order.paid' } }],
  },
});

describeProducts('tracing', (start, mode) => {
  let collector: SpanCollector;
  let called: Awaited<ReturnType<typeof calledServer>>;
  let running: Running;

  beforeAll(async () => {
    [collector, called] = await Promise.all([spanCollector(), calledServer()]);
    running = await start({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret',
      OUTBOUND_ALLOW: '127.0.0.1',
      DEMO_SHOP: 'false',
    });
    await importOrders(running.client, payableOrders(5001, 10));
    for (const rule of [completeRule, callRule(called.url)]) await running.client('POST', '/v1/rules', rule);
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    called.server.close();
    await collector.close();
  }, 60_000);

  const traceOf = (processId: string): Promise<CollectedSpan[]> =>
    waitFor(
      async () => {
        const root = collector.spans.find(({ attributes }) => attributes['order_automation.process_id'] === processId);
        const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
        const names = new Set(trace.map(({ name }) => name));
        return [...path, 'deliver webhook'].every((name) => names.has(name)) && trace;
      },
      { timeout: 60_000, describe: `the trace of ${processId}` },
    );
  const named = (trace: readonly CollectedSpan[], name: string) => trace.filter((span) => span.name === name);

  test('one trace leads from the bytes of a webhook to the change of its order, and on to the call that follows', async () => {
    const { process_id } = await postSigned(running, payment('trace-1', 5001));
    const trace = await traceOf(process_id);
    let parent: string | undefined;
    for (const name of path) {
      const span = named(trace, name).find(({ parentSpanId }) => (parentSpanId ?? '') === (parent ?? ''));
      expect([name, span?.status.code]).toEqual([name, 0]);
      parent = span?.spanId;
    }
    const [root] = named(trace, path[0] ?? '');
    for (const name of ['verify webhook', 'store event'])
      expect(named(trace, name)).toEqual([expect.objectContaining({ parentSpanId: root?.spanId })]);
    expect(named(trace, 'change order')[0]?.attributes).toMatchObject({
      'order_automation.order_id': 5001,
      'order_automation.order_status.from': 'pending',
      'order_automation.order_status.to': 'completed',
    });
    expect(named(trace, 'evaluate event')[0]?.attributes).toMatchObject({
      'order_automation.outcome': 'success',
      'order_automation.rules_evaluated': 1,
    });
    expect(named(trace, 'process intake.event-received.v1')[0]?.attributes).toMatchObject({
      'messaging.system': mode === 'embedded' ? 'in_process' : 'nats',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'intake.event-received.v1',
      'messaging.consumer.group.name': 'evaluation',
    });
    const [delivered] = named(trace, 'deliver webhook');
    expect(delivered?.attributes).toMatchObject({ 'http.response.status_code': 200 });
    expect(called.calls.map(({ traceparent }) => traceparent)).toContain(
      `00-${delivered?.traceId}-${delivered?.spanId}-01`,
    );
    const ids = new Set(trace.map(({ spanId }) => spanId));
    expect(trace.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
  }, 90_000);

  test('a webhook that brings a traceparent continues its trace, and one that says "not sampled" is not traced', async () => {
    const send = async (order: number, traceparent: string) => {
      const body = payment(`trace-${order}`, order);
      const signature = cardSignature(running.secrets.cardSecret, body, Math.floor(Date.now() / 1000));
      const { answer } = await post(running.url, { body, headers: { 'card-signature': signature, traceparent } });
      return answer.process_id;
    };
    const silent = await send(5002, `00-${'a'.repeat(32)}-${upstream.spanId}-00`);
    const trace = await traceOf(await send(5003, `00-${upstream.traceId}-${upstream.spanId}-01`));
    expect(named(trace, path[0] ?? '')).toEqual([
      expect.objectContaining({ traceId: upstream.traceId, parentSpanId: upstream.spanId, kind: 2 }),
    ]);
    await waitFor(async () => called.calls.length === 3, { describe: 'the three calls' });
    expect(collector.spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([]);
    expect(collector.text()).not.toContain(silent);
  }, 90_000);

  test('a refused webhook names its refusal, and no span holds a person, a body or a secret', async () => {
    const { answer } = await post(running.url, {
      body: payment('forged', 5004),
      headers: { 'card-signature': 't=1,v1=00' },
    });
    expect(answer.success).toBe(false);
    const verified = await waitFor(
      async () => collector.spans.find(({ attributes }) => attributes['order_automation.refusal'] !== undefined),
      { timeout: 30_000, describe: 'the refusal' },
    );
    expect(verified.name).toBe('verify webhook');
    expect(collector.headers()).toMatchObject({ 'x-token': 'a secret' });
    expect(collector.text()).not.toMatch(/\b[Aa]da\b|Example|Springfield|127\.0\.0\.1(?!:\d+")|a secret|whsec_/);
    expect(new Set(collector.spans.map(({ scope }) => scope.replace('order-automation/', '')))).toEqual(
      new Set(['api-gateway', 'gateway-intake', 'evaluation', 'shop']),
    );
  }, 60_000);
});

test('an event that waits for its order keeps its trace through a restart', async () => {
  const collector = await spanCollector();
  const env = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const running = await startAlone(env);
  const { process_id } = await postSigned(running, payment('trace-waits', 5001));
  await waitFor(async () => (await processLog(running, process_id)).some(({ status }) => status === 'pending'), {
    timeout: 30_000,
    describe: 'the event to wait',
  });
  await running.product.stop();
  const again = await startEmbedded({ env: running.env, log: 'ignore' });
  await importOrders(apiClient(again.port, running.secrets), payableOrders(5001, 1));
  const changed = await waitFor(async () => collector.spans.find(({ name }) => name === 'change order'), {
    timeout: 60_000,
    describe: 'the change of the order',
  });
  const root = collector.spans.find(({ attributes }) => attributes['order_automation.process_id'] === process_id);
  expect(changed.traceId).toBe(root?.traceId);
  await again.stop();
  await running.stop();
  await collector.close();
}, 120_000);

/** What a program prints that has `startTracing`, and in `log` the lines of its log, in a process of its own. */
async function printedBy(program: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const script = `
    const { createLogger, parseConfig, startTracing, tracingConfiguration } = require('@order-automation/service');
    const lines = [];
    const log = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const start = () => startTracing(parseConfig(tracingConfiguration, process.env), 'test', log);
    (async () => { ${program} })().then((printed) => process.stdout.write(JSON.stringify(printed), () => process.exit()));`;
  const options = { cwd: join(__dirname, '..'), env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], options);
  return JSON.parse(stdout);
}

test('while it is off, no service loads anything of OpenTelemetry but the interface that the metrics library asks for', async () => {
  const program = `
    for (const name of ['api-gateway', 'audit', 'evaluation', 'gateway-intake', 'pro-debug', 'rules', 'shop', 'bus/nats'])
      require('@order-automation/' + name);
    await start();
    return [...new Set(Object.keys(require.cache).flatMap((file) => /@opentelemetry.([^/]+)/.exec(file)?.[1] ?? []))].sort();`;
  expect(await printedBy(program, {})).toEqual(['api']);
  expect(await printedBy(program, { OTEL_TRACES_EXPORTER: 'otlp' })).toEqual(
    expect.arrayContaining(['exporter-trace-otlp-http', 'sdk-trace']),
  );
});

test('what is left is sent when it closes: of a batch its links, of an error the code alone', async () => {
  const collector = await spanCollector();
  const parents = ['2', '3'].map((digit) => `00-${'1'.repeat(32)}-${digit.repeat(16)}-01`);
  const program = `
    const provider = await start();
    const attributes = { left: null, kept: 1 };
    const span = provider.of('part').linked('batch', ${JSON.stringify(parents)}, { attributes });
    span.end({}, Object.assign(new Error('ada@customer.example'), { code: 'ECONNREFUSED' }));
    span.end({ late: true });
    await provider.close();
    return lines;`;
  const env = {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'mine',
  };
  expect(await printedBy(program, env)).toEqual([]);
  expect(collector.spans).toEqual([
    expect.objectContaining({
      name: 'batch',
      scope: 'order-automation/part',
      resource: expect.objectContaining({ 'service.name': 'mine' }),
      links: ['2', '3'].map((digit) => ({ traceId: '1'.repeat(32), spanId: digit.repeat(16) })),
      attributes: { kept: 1, 'error.type': 'ECONNREFUSED' },
      status: { code: 2 },
    }),
  ]);
  expect(collector.text()).not.toContain('ada@');
  await collector.close();
});

test('a collector that is unavailable is a warning, and nothing waits for it', async () => {
  const program = `
    const provider = await start();
    provider.of('part').begin('a', undefined).end();
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    await provider.close();
    return lines.map((line) => JSON.parse(line).msg);`;
  const env = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  expect(await printedBy(program, env)).toEqual(['sending spans: failing, will be tried again']);
});
