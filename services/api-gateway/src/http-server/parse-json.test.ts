import { deeperThan, maxJsonDepth } from '@order-automation/service';
import fc from 'fast-check';
import { parseJson } from './parse-json';

const bytes = (text: string) => Buffer.from(text);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('64 levels pass, 65 do not', () => {
  expect(parseJson(bytes(nested(maxJsonDepth)))).toBeDefined();
  expect(() => parseJson(bytes(nested(maxJsonDepth + 1)))).toThrow(/deeper than 64/);
  expect(() => parseJson(bytes('['.repeat(1_000_000)))).toThrow(/deeper than 64/);
});

test('brackets behind what is no JSON are a refusal too, however deep', () => {
  for (const text of [`"\n${'['.repeat(200_000)}`, `{x${'['.repeat(200_000)}`, ','.repeat(200_000)])
    expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ status: 400 }));
});

test('brackets in strings do not count, whatever is escaped there', () => {
  expect(deeperThan(bytes(JSON.stringify({ a: '[[[[', 'b"[[': '\\"[[' })), 1)).toBe(false);
  expect(deeperThan(bytes('{"a":"\\\\","b":[]}'), 1)).toBe(true);
});

test.each(['', '{', '{"a":1', "{'a':1}", '\ufeff{}x', '{"a":"\\ud8"}', 'NaN', '[1,]'])('%p is not JSON', (text) => {
  expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ status: 400, code: 'rest_invalid_json' }));
});

test('bytes that are not UTF-8 are refused, not replaced', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
    expect.objectContaining({ code: 'rest_invalid_json' }),
  );
});

test('half a surrogate pair becomes U+FFFD: what is answered is what is stored', () => {
  expect(parseJson(bytes(String.raw`{"name":"a\ud800b \ud83d\ude00"}`))).toEqual({ name: 'a\ufffdb 😀' });
});

test.each([
  ['{"a": 1,\n "b": x}', 'line 2, column 7'],
  ['{"a": 1,}', 'line 1, column 9'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{"a": "x', 'it ends too early'],
  ['[1, 2', 'it ends too early'],
  [`{"a": "${'x'.repeat(500)}",\n\n  b: 1}`, 'line 3, column 3'],
  ['"a\n"', 'line 1, column 1'],
])('%s: the refusal says where', (text, place) => {
  expect(() => parseJson(bytes(text))).toThrow(`The body is not valid JSON: ${place}.`);
});

test('whatever JSON.stringify makes is parsed to the same, and its depth is reported', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const depth = depthOf(JSON.parse(text));
      expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      expect(deeperThan(bytes(text), depth)).toBe(false);
      if (depth > 0) expect(deeperThan(bytes(text), depth - 1)).toBe(true);
    }),
  );
});
