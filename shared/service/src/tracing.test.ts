import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TracingConfig, tracingConfiguration } from './common-config';
import { type Env, parseConfig } from './config';
import { createLogger } from './logger';
import { errorType, startTracing } from './tracing';

const from = (env: Env): TracingConfig => parseConfig(tracingConfiguration, { OTEL_TRACES_EXPORTER: 'otlp', ...env });
const log = createLogger({ name: 'test', level: 'silent' });
const parent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
const unsampled = parent.replace(/01$/, '00');

async function tracingWith(env: Env) {
  const provider = await startTracing(from({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...env }), 'test', log);
  if (!provider) throw new Error('tracing is off');
  return provider.of('test');
}

test('is off by default', async () => {
  expect(await startTracing(parseConfig(tracingConfiguration, {}), 'test', log)).toBeUndefined();
  expect(await startTracing({}, 'test', log)).toBeUndefined();
});

test.each([
  ['parentbased_always_on', '', [true, false, true]],
  ['always_on', '', [true, true, true]],
  ['always_off', '', [false, false, false]],
  ['parentbased_always_off', '', [false, false, true]],
  ['traceidratio', '0', [false, false, false]],
  ['parentbased_traceidratio', '0', [false, false, true]],
])(
  '%s %s samples a webhook without a trace, with one that is not sampled, with one that is',
  async (name, ratio, expected) => {
    const tracing = await tracingWith({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio });
    const begun = [undefined, unsampled, parent].map((traceparent) => tracing.begin('a', traceparent));
    expect(begun.map((span) => span !== undefined)).toEqual(expected);
  },
);

test('nothing follows from nothing, and a malformed traceparent counts as none', async () => {
  const tracing = await tracingWith({});
  expect(tracing.span('a', undefined)).toBeUndefined();
  expect(tracing.span('a', '00-zz-zz-01')).toBeUndefined();
  expect(tracing.linked('a', [])).toBeUndefined();
  expect(tracing.begin('a', 'garbage')?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(tracing.span('a', parent)?.traceparent).toMatch(/^00-1{32}-(?!2{16})[0-9a-f]{16}-01$/);
});

describe('with a collector', () => {
  let server: Server;
  let bodies: string[];
  beforeEach(async () => {
    bodies = [];
    server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        res.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('what is left is sent when it closes: links, and of an error the code alone', async () => {
    const { port } = server.address() as AddressInfo;
    const config = from({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`, OTEL_SERVICE_NAME: 'mine' });
    const provider = await startTracing(config, 'test', log);
    const tracing = provider?.of('part');
    const span = tracing?.linked('batch', [parent, parent.replaceAll('2', '3')], {
      attributes: { left: null, kept: 1 },
    });
    span?.end({}, Object.assign(new Error('ada@customer.example'), { code: 'ECONNREFUSED' }));
    span?.end({ late: true });
    await provider?.close();
    const text = bodies.join('');
    expect(JSON.parse(text).resourceSpans[0].scopeSpans[0]).toMatchObject({
      scope: { name: 'order-automation/part' },
      spans: [
        {
          name: 'batch',
          links: [{ spanId: '2'.repeat(16) }, { spanId: '3'.repeat(16) }],
          status: { code: 2 },
          attributes: [
            { key: 'kept', value: { intValue: 1 } },
            { key: 'error.type', value: { stringValue: 'ECONNREFUSED' } },
          ],
        },
      ],
    });
    expect(text).toContain('"stringValue":"mine"');
    expect(text).not.toMatch(/ada|late/);
  });
});

test('a collector that is unavailable is a warning and holds nothing up', async () => {
  const lines: string[] = [];
  const warning = createLogger({
    name: 'test',
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  const provider = await startTracing(from({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }), 'test', warning);
  provider?.of('test').begin('a', undefined)?.end();
  await provider?.close();
  expect(lines.join('')).toContain('sending spans: failing');
});

test('an error is known by its code, otherwise by its class', () => {
  expect(errorType(Object.assign(new Error('secret'), { code: 'timeout' }))).toBe('timeout');
  expect(errorType(new TypeError('secret'))).toBe('TypeError');
  expect(errorType({})).toBe('error');
});

test.each([
  ['a=1', { a: '1' }],
  ['Authorization=Bearer%20x, x-scope = shop', { Authorization: 'Bearer x', 'x-scope': 'shop' }],
])('headers %s', (text, headers) => {
  expect(from({ OTEL_EXPORTER_OTLP_HEADERS: text }).otlpHeaders?.reveal()).toEqual(headers);
});

test.each(['a', 'a=%zz', 'a=%0d%0ab', '=x'])('no headers: %s', (text) => {
  expect(() => from({ OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
});
