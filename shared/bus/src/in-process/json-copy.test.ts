import fc from 'fast-check';
import { jsonCopy } from './json-copy';

const anything = fc.anything({
  maxDepth: 5,
  withDate: true,
  withMap: true,
  withSet: true,
  withSparseArray: true,
  withNullPrototype: true,
  withTypedArray: true,
});
const byText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

test('a copy is what comes back from JSON', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(jsonCopy({ value })).toStrictEqual(byText({ value }));
      expect(JSON.stringify(jsonCopy([value]))).toBe(JSON.stringify([value]));
    }),
    { numRuns: 2_000 },
  );
});

test('a negative zero is a zero, in an object too', () => {
  expect(jsonCopy({ value: -0 })).toStrictEqual({ value: 0 });
});

class Amount {
  constructor(
    readonly value: number,
    private readonly hidden?: undefined,
  ) {}
  get doubled() {
    return this.value * 2 + (this.hidden ?? 0);
  }
}

test.each<[string, unknown]>([
  ['an instance', new Amount(3)],
  ['what says itself how it is written', { toJSON: () => ({ written: [1] }) }],
  ['the same, inherited', Object.create({ toJSON: () => 'inherited' })],
  ['a list with a gap', [1, undefined, () => 1, Symbol('x')]],
  ['no number', [Number.NaN, Number.POSITIVE_INFINITY, -0, 1e21]],
  ['half a pair', { '\ud800': '\udc00' }],
  ['a name of its own', JSON.parse('{"a": {"__proto__": {"x": 1}}}')],
  ['boxed', [Object('text'), Object(1), Object(true)]],
  ['deep', JSON.parse('['.repeat(500) + ']'.repeat(500))],
])('%s', (_, value) => {
  expect(JSON.stringify(jsonCopy(value))).toBe(JSON.stringify(value));
  expect(jsonCopy(value)).toStrictEqual(byText(value));
});

test('nothing is shared, and what JSON refuses is refused', () => {
  const value = { list: [{ n: 1 }] };
  const copy = jsonCopy(value) as typeof value;
  expect(copy).toEqual(value);
  expect(copy.list === value.list || copy.list[0] === value.list[0]).toBe(false);
  const cycle: Record<string, unknown> = {};
  cycle.self = { inner: [cycle] };
  expect(() => jsonCopy(cycle)).toThrow(TypeError);
  expect(() => jsonCopy({ big: 1n })).toThrow(TypeError);
});

test('bytes are copied where a schema has seen to them', () => {
  const value = { body: Buffer.from([0, 255, 7]) };
  const copy = jsonCopy(value, true) as { body: Uint8Array };
  expect([...copy.body]).toEqual([0, 255, 7]);
  value.body[0] = 1;
  expect(copy.body[0]).toBe(0);
  expect(jsonCopy(value)).toStrictEqual(byText(value));
});
