import { z } from 'zod';
import { envelopeSchema } from './envelope';
import { events, requests } from './messages';
import { parserOf } from './parser';

const schemas: [string, z.ZodType][] = [
  ...Object.entries(events).map(([type, data]): [string, z.ZodType] => [type, envelopeSchema.extend({ data })]),
  ...Object.entries(requests).flatMap(([type, { input, output }]): [string, z.ZodType][] => [
    [`${type} input`, input],
    [`${type} output`, output],
  ]),
];

test.each(schemas)('code can be generated for %s', (_name, schema) => {
  expect(() => z.compile(schema, { strict: true })).not.toThrow();
});

test('what is valid comes out as the schema makes it: defaults filled in, unknown fields dropped', () => {
  const schema = z.object({ a: z.int().default(1), b: z.looseObject({}) });
  const value = { b: { kept: true }, c: 'dropped' };
  expect(parserOf(schema).parse(value)).toEqual({ success: true, data: { a: 1, b: { kept: true } } });
});

test('what is not valid is refused in the words of the schema', () => {
  const schema = z.object({ at: z.iso.datetime(), of: z.array(z.object({ n: z.int().max(3) })) });
  const value = { at: 'yesterday', of: [{ n: 1 }, { n: 4.5 }, {}] };
  expect(parserOf(schema).parse(value).error?.issues).toEqual(schema.safeParse(value).error?.issues);
});

describe('fits', () => {
  const schema = z.object({
    open: z.record(z.string(), z.unknown()).nullable(),
    lists: z.array(z.record(z.string(), z.array(z.string()))).max(1),
  });
  const { fits } = parserOf(schema);

  test.each([
    [true, { open: { a: 1 }, lists: [{ a: ['b'] }] }],
    [true, { open: null, lists: [], more: 1 }],
    [false, { open: [], lists: [] }],
    [false, { open: new Map(), lists: [] }],
    [false, { open: { [Symbol('a')]: 1 }, lists: [] }],
    [false, { open: null, lists: [{ a: [1] }] }],
    [false, { open: null, lists: [{ a: 'b' }] }],
    [false, { open: null, lists: [{}, {}] }],
  ])('is %s for %p', (expected, value) => {
    expect(fits(value)).toBe(expected);
  });
});
