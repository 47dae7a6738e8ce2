import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { envelopeSchema } from './envelope';
import { events, requests } from './messages';
import { unshareOf } from './taken-over';

const copy = (part: unknown): unknown => structuredClone(part);

function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return found;
  found.add(value);
  for (const part of Object.values(value)) objectsIn(part, found);
  return found;
}

function expectNothingShared(schema: z.ZodType, example: unknown): void {
  const parsed = z.compile(schema).parse(example);
  const unshared = unshareOf(schema)?.(parsed, copy) ?? parsed;
  expect(unshared).toEqual(example);
  const theirs = objectsIn(example);
  expect([...objectsIn(unshared)].filter((mine) => theirs.has(mine))).toEqual([]);
}

function examples(type: string): Record<string, unknown>[] {
  const text = readFileSync(join(__dirname, '../golden', `${type}.json`), 'utf8');
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$bytes' in value ? new Uint8Array([1, 2]) : value,
  ) as Record<string, unknown>[];
}

test.each(Object.entries(events))('%s shares nothing', (type, data) => {
  for (const example of examples(type)) expectNothingShared(envelopeSchema.extend({ data }), example);
});

test.each(Object.entries(requests))('%s shares nothing', (type, { input, output }) => {
  for (const example of examples(type)) {
    expectNothingShared(input, example.input);
    expectNothingShared(output, example.output);
  }
});

test('what the schema describes in full is not looked at again', () => {
  const plain = z.object({ a: z.string(), b: z.array(z.object({ c: z.int().nullable() })), d: z.enum(['x']) });
  expect(unshareOf(plain)).toBeUndefined();
});

test('only what was taken over is copied, and its depth told', () => {
  const schema = z.object({ list: z.array(z.object({ a: z.string(), open: z.record(z.string(), z.unknown()) })) });
  const depths: number[] = [];
  const value = schema.parse({ list: [{ a: 'x', open: { y: 1 } }] });
  unshareOf(schema)?.(value, (part, depth) => {
    depths.push(depth);
    expect(part).toEqual({ y: 1 });
    return part;
  });
  expect(depths).toEqual([3]);
});

test('a list of anything is copied whole', () => {
  const copies: unknown[] = [];
  unshareOf(z.array(z.unknown()))?.([undefined], (part) => copies.push(part));
  expect(copies).toEqual([[undefined]]);
});

test.each([
  ['a field that may be left out', z.object({ a: z.string().optional() })],
  ['a field of any kind', z.object({ a: z.unknown() })],
  ['more fields than described', z.looseObject({ a: z.string() })],
  ['a default', z.object({ a: z.array(z.string()).default([]) })],
])('an object with %s is copied whole', (_name, schema) => {
  const copies: unknown[] = [];
  unshareOf(schema)?.({}, (part) => copies.push(part));
  expect(copies).toEqual([{}]);
});
