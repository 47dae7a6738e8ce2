import fc from 'fast-check';
import { copyOf, weightOf } from './copy';
import { BusError } from './errors';

describe('a copy', () => {
  test('holds what JSON would, but for bytes', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withSparseArray: true }), (original) => {
        const text = JSON.stringify(original);
        if (text === undefined) expect(() => copyOf(original)).toThrow(BusError);
        else expect(copyOf(original)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  test('shares nothing with what it was made of, bytes included', () => {
    const original = { body: new Uint8Array([1, 2]), list: [{ a: 1 }] };
    const copy = copyOf(original) as typeof original;
    original.body[0] = 9;
    Object.assign(original.list[0] ?? {}, { a: 9 });
    expect(copy).toEqual({ body: new Uint8Array([1, 2]), list: [{ a: 1 }] });
  });

  test('of a field "__proto__" is a field', () => {
    const copy = copyOf(JSON.parse('{"__proto__":{"x":1}}')) as { x?: unknown };
    expect(copy.x).toBeUndefined();
    expect(Object.keys(copy)).toEqual(['__proto__']);
  });

  test('weighs about as much as its text', () => {
    const value = {
      text: 'x'.repeat(1000),
      body: new Uint8Array(5000),
      list: Array.from({ length: 50 }, () => ({ key: 'value' })),
    };
    expect(weightOf(value)).toBeGreaterThan(6_000);
    expect(weightOf(value)).toBeLessThan(9_000);
  });
});
