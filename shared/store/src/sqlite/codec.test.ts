import fc from 'fast-check';
import { checkDocument, decode, encode, encodeQuery } from './codec';

test('what JSON can hold comes back as it was', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$date', 'toJSON')), tie('any'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  })).any;
  fc.assert(fc.property(value, (document) => expect(decode(encode(document))).toEqual(document)));
});

test('an own __proto__ stays a field', () => {
  const hostile = JSON.parse('{"a":{"__proto__":{"polluted":true},"b":1}}');
  const back = decode<{ a: object }>(encode({ ...hostile, c: undefined }));
  expect(Object.keys(back.a)).toEqual(['__proto__', 'b']);
  expect((back.a as { polluted?: unknown }).polluted).toBeUndefined();
});

test('half a surrogate pair becomes U+FFFD, as in BSON', () => {
  expect(decode(encode({ a: 'x\ud800y', '\udc00': 1 }))).toEqual({ a: 'x\ufffdy', '\ufffd': 1 });
});

test('undefined is left out of a document, null in a list, and refused in a query', () => {
  expect(encode({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  expect(() => encodeQuery({ a: { $in: [undefined] } })).toThrow('Undefined');
});

test.each([
  ['bytes', new Uint8Array(2)],
  ['a Map', new Map()],
  ['a Date', new Date(0)],
  ['a pattern', /x/],
  ['a function', () => 1],
  ['a bigint', 1n],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
])('%s is refused', (_, value) => {
  for (const refusing of [checkDocument, encodeQuery])
    expect(() => refusing({ nested: [value] })).toThrow(expect.objectContaining({ name: 'UnsupportedQueryError' }));
});

test('nesting deeper than 100 levels is refused', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
  expect(decode(encode(nested(100)))).toEqual(nested(100));
  expect(() => checkDocument(nested(101))).toThrow('nested deeper');
});
