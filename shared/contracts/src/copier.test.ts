import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { copierOf } from './copier';
import { envelopeSchema } from './envelope';
import { events, requests } from './messages';
import { parserOf } from './parser';

const copyPart = (part: unknown): unknown => structuredClone(part);

function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return found;
  found.add(value);
  for (const part of Object.values(value)) objectsIn(part, found);
  return found;
}

function expectOwnCopy(schema: z.ZodType, example: unknown): void {
  const copier = copierOf(schema, copyPart);
  if (!copier) return;
  const copy = copier(example);
  expect(parserOf(schema).fits(example)).toBe(true);
  expect(copy).toEqual(schema.parse(example));
  const theirs = objectsIn(example);
  expect([...objectsIn(copy)].filter((mine) => theirs.has(mine))).toEqual([]);
}

function examples(type: string): Record<string, unknown>[] {
  const text = readFileSync(join(__dirname, '../golden', `${type}.json`), 'utf8');
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$bytes' in value ? new Uint8Array([1, 2]) : value,
  ) as Record<string, unknown>[];
}

test.each(Object.entries(events))('%s is copied by code of its own, which shares nothing', (type, data) => {
  const schema = envelopeSchema.extend({ data });
  expect(copierOf(schema, copyPart)).toBeDefined();
  for (const example of examples(type)) expectOwnCopy(schema, example);
});

test.each(Object.entries(requests))('%s is copied as it is parsed, and shares nothing', (type, { input, output }) => {
  for (const example of examples(type)) {
    expectOwnCopy(input, example.input);
    expectOwnCopy(output, example.output);
  }
});

test.each([
  ['what the schema does not know is left out', z.object({ a: z.int() }), { a: 1, b: 2 }],
  ['unless it is loose', z.looseObject({ a: z.int() }), { a: 1, b: { c: [2] } }],
  [
    'defaults are filled in',
    z.object({ a: z.array(z.int()).default([7]), b: z.string().default('x') }),
    { a: undefined },
  ],
  ['null stays null', z.object({ a: z.object({ b: z.int() }).nullable() }), { a: null }],
  ['optional fields stay', z.object({ a: z.int().optional(), b: z.int() }), { a: 1, b: 2 }],
  ['lists of lists', z.array(z.array(z.int())), [[1], [], [2, 3]]],
  [
    'one of several kinds',
    z.array(kinds()),
    [
      { kind: 'a', a: 1, b: 2 },
      { kind: 'b', b: 'x' },
    ],
  ],
  ['records', z.object({ a: z.record(z.string(), z.array(z.string())) }), { a: { b: ['c'] } }],
  ['names that are no identifiers', z.object({ 'a-"b"': z.int() }), { 'a-"b"': 1 }],
])('%s', (_name, schema, value) => {
  expect(copierOf(schema, copyPart)?.(value)).toEqual(schema.parse(value));
});

function kinds() {
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.int() }),
    z.object({ kind: z.literal('b'), b: z.string() }),
  ]);
}

test('what would not travel is left out', () => {
  const schema = z.looseObject({ a: z.string().optional(), b: z.unknown(), c: z.object({ d: z.unknown() }) });
  const copy = copierOf(schema, (part) => (typeof part === 'symbol' ? undefined : part))?.({
    a: undefined,
    b: Symbol('b'),
    c: { d: undefined },
    e: Symbol('e'),
  });
  expect(copy).toStrictEqual({ c: {} });
});

test('a list is a plain one, whatever it was', () => {
  class List extends Array<string> {}
  expect(copierOf(z.array(z.string()), copyPart)?.(List.from(['a']))).toStrictEqual(['a']);
});

test('a field "__proto__" of a record is dropped, as when it is parsed', () => {
  const schema = z.object({ a: z.record(z.string(), z.unknown()) });
  const copy = copierOf(schema, (part) => JSON.parse(JSON.stringify(part)))?.(
    JSON.parse('{"a":{"__proto__":1,"b":2}}'),
  );
  expect(Object.keys((copy as { a: object }).a)).toEqual(['b']);
});

test('open parts are told where they are', () => {
  const schema = z.object({
    list: z.array(z.looseObject({ a: z.unknown(), open: z.record(z.string(), z.unknown()) })),
  });
  const told: [string, number][] = [];
  copierOf(schema, (part, key, depth) => {
    told.push([key, depth]);
    return part;
  })?.({ list: [{ a: 1, open: {}, more: 2 }] });
  expect(told).toEqual(
    expect.arrayContaining([
      ['a', 3],
      ['open', 3],
      ['more', 3],
    ]),
  );
});

test.each([
  ['a transformation', z.string().trim()],
  ['a list of anything', z.array(z.unknown())],
  ['one of several objects without a name for each', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })])],
  ['a record of rewritten texts', z.record(z.string(), z.string().trim())],
  ['a record of objects', z.record(z.string(), z.object({ a: z.int() }))],
])('there is no copier for %s', (_name, schema) => {
  expect(copierOf(schema, copyPart)).toBeUndefined();
  expect(copierOf(z.object({ inside: z.array(schema) }), copyPart)).toBeUndefined();
});
