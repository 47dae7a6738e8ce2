import { parsePayload } from './payload';

const parse = (text: string | Buffer) => parsePayload(Buffer.from(text as string));
const codeOf = (text: string | Buffer) => parse(text).refusal?.code;

describe('parsePayload', () => {
  it.each([
    ['', 'malformed_json'],
    ['{', 'malformed_json'],
    ['{"a":1,}', 'malformed_json'],
    ["{'a':1}", 'malformed_json'],
    ['{"a":01}', 'malformed_json'],
    ['{"a":NaN}', 'malformed_json'],
    ['{12345678901234567890:1}', 'malformed_json'],
    ['{"a":012345678901234567890}', 'malformed_json'],
    ['[{"type":"x"}]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"text"', 'not_an_object'],
    ['12345678901234567890', 'not_an_object'],
  ])('%j is refused as %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('half a surrogate pair becomes U+FFFD, as in the stores; whole ones and escaped backslashes stay', () => {
    const text = String.raw`{"a\uD800":"x\udfffy","b":["\ud83d\ude00","\\ud800"],"n":1234567890123456}`;
    expect(parse(text).payload).toEqual({ 'a\ufffd': 'x\ufffdy', b: ['😀', '\\ud800'], n: '1234567890123456' });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(codeOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('invalid_utf8');
  });

  it.each([0, 1, 7, 14, 15, 16, 17, 31])('finds a long number wherever it stands (after %d characters)', (before) => {
    const pad = 'p'.repeat(before);
    expect(parse(`{"${pad}":1234567890123456,"s":1.5}`).payload?.[pad]).toBe('1234567890123456');
    expect(parse(`{"${pad}":123456789012.3456}`).payload?.[pad]).toBe('123456789012.3456');
    expect(parse(`{"${pad}":123456789012345}`).payload?.[pad]).toBe(123456789012345);
    expect(parse(`{"${pad}":"1234567890123456"}`).payload?.[pad]).toBe('1234567890123456');
  });

  it('takes 64 levels and refuses 65, also of mixed brackets', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(codeOf(nested(64))).toBeUndefined();
    expect(codeOf(nested(65))).toBe('too_deep');
  });

  it.each([10_000, 500_000])('refuses %d levels at once', (levels) => {
    const body = Buffer.from(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    const started = performance.now();
    expect(codeOf(body)).toBe('too_deep');
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('does not count brackets and digits in strings, nor believe escaped quotes', () => {
    const text = `{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}12345678901234567890\\\\","b":1}`;
    expect(parse(text).payload).toEqual(JSON.parse(text));
  });

  it('keeps the digits of numbers that a double cannot hold', () => {
    const { payload } = parse(
      '{"a":12345678901234567890,"b":[-98765432109876543210],"c":0.12345678901234567890,"d":123456789012345,"e":1.50,"f":1e3}',
    );
    expect(payload).toEqual({
      a: '12345678901234567890',
      b: ['-98765432109876543210'],
      c: '0.12345678901234567890',
      d: 123456789012345,
      e: 1.5,
      f: 1000,
    });
  });

  // github.com/pronamic/wp-pronamic-pay/issues/281, github.com/eusonlito/redsys-TPV/issues/19: `serialize_precision` of PHP
  it.each([
    ['29.949999999999999', 29.95],
    ['19.989999999999998', 19.99],
    ['-4.9900000000000002', -4.99],
    ['49.00000000000000000', 49],
    ['27964.000000000004', '27964.000000000004'],
    ['100000000000000000000000', '100000000000000000000000'],
    ['100000000000000000000000.5', '100000000000000000000000.5'],
  ])('reads the number %s as %j', (number, read) => {
    expect(parse(`{"a":${number}}`).payload).toEqual({ a: read });
  });

  it('treats __proto__ and constructor as data', () => {
    const { payload } = parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1}');
    expect(payload && Object.hasOwn(payload, '__proto__')).toBe(true);
    expect((payload as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('skips a byte order mark', () => {
    expect(parse(Buffer.from('\ufeff{"a":1}')).payload).toEqual({ a: 1 });
  });
});
