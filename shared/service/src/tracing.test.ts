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
