import fc from 'fast-check';
import { decode, encode } from './codec';
import { copyOf } from './copy';
import { BusError } from './errors';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => new Uint8Array(array));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    bytes,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('any'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).any;

describe('codec', () => {
  test('any value with bytes in it comes back the same from the wire', () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(decode(encode(original))).toEqual(original);
      }),
    );
  });

  test('a value without bytes is plain JSON', () => {
    expect(Buffer.from(encode({ a: 'ü', b: [1, null] })).toString()).toBe('{"a":"ü","b":[1,null]}');
  });

  test('content that looks like a frame stays content', () => {
    const lookalike = { value: null, bytes: [{ path: ['value'], length: 3 }] };
    expect(decode(encode(lookalike))).toEqual(lookalike);
  });

  test('a Buffer arrives as a plain Uint8Array', () => {
    const back = decode(encode({ body: Buffer.from('x') })) as { body: Uint8Array };
    expect(Buffer.isBuffer(back.body)).toBe(false);
    expect(back.body).toEqual(new Uint8Array([0x78]));
  });

  test.each([
    ['a cycle', cycle()],
    ['a bigint', { amount: 1n }],
    ['nothing', undefined],
    ['too deep', nested(129)],
  ])('%s is refused when sent, in the same words from the wire and from memory', (_name, hostile) => {
    const refusal = thrownBy(() => encode(hostile));
    expect(refusal).toBeInstanceOf(BusError);
    expect(thrownBy(() => copyOf(hostile))).toEqual(refusal);
  });

  test('the deepest value that may be sent may be received', () => {
    const deepest = nested(128);
    expect(decode(encode(deepest))).toEqual(deepest);
    expect(copyOf(deepest)).toEqual(deepest);
  });

  const framed = (json: string, tail = ''): Uint8Array => {
    const head = Buffer.alloc(5);
    head.writeUInt8(1, 0);
    head.writeUInt32BE(Buffer.byteLength(json), 1);
    return Buffer.concat([head, Buffer.from(json), Buffer.from(tail)]);
  };

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['half a JSON', Buffer.from('{"a":')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a million open brackets', Buffer.alloc(1_000_000, '[')],
    ['a frame without a head', Buffer.from([1, 0])],
    ['a frame that promises more than it has', Buffer.from([1, 0xff, 0xff, 0xff, 0xff, 0x7b])],
    ['a frame of something else', framed('[]')],
    ['a frame with too few bytes', framed('{"value":{"a":null},"bytes":[{"path":["a"],"length":3}]}', 'ab')],
    ['a frame with bytes left over', framed('{"value":{"a":null},"bytes":[{"path":["a"],"length":1}]}', 'ab')],
    ['a negative length', framed('{"value":{"a":null},"bytes":[{"path":["a"],"length":-1}]}')],
    ['a place that does not exist', framed('{"value":{"a":null},"bytes":[{"path":["b"],"length":1}]}', 'a')],
    ['a place that is taken', framed('{"value":{"a":1},"bytes":[{"path":["a"],"length":1}]}', 'a')],
    ['the place __proto__', framed('{"value":{"__proto__":null},"bytes":[{"path":["__proto__"],"length":1}]}', 'a')],
    ['a way through __proto__', framed('{"value":{},"bytes":[{"path":["__proto__","x"],"length":1}]}', 'a')],
    ['a place in a text', framed('{"value":"abc","bytes":[{"path":["length"],"length":1}]}', 'a')],
  ])('%s is refused with a clear error when received', (_name, hostile) => {
    expect(() => decode(hostile)).toThrow(expect.objectContaining({ name: 'BusError', code: 'invalid_message' }));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('no sequence of bytes gives anything but a value or a BusError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (random, asFrame) => {
        const hostile = asFrame ? Buffer.concat([Buffer.from([1, 0, 0, 0, 8]), random]) : random;
        try {
          decode(hostile);
        } catch (error) {
          expect(error).toBeInstanceOf(BusError);
        }
      }),
    );
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

function cycle(): unknown {
  const self: { self?: unknown } = {};
  self.self = self;
  return self;
}
