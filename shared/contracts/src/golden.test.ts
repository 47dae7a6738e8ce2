import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { envelopeSchema } from './envelope';
import { type EventType, events, type RequestType, requests } from './messages';

/**
 * golden/<type>.json: examples of every message as services have sent them, `[envelope, ...]` or `[{input, output}, ...]`, as
 * they travel. They are appended to and never edited: what parsed once must parse for as long as the version stands.
 */
const directory = join(__dirname, '../golden');

function examples(type: string): Record<string, unknown>[] {
  const text = readFileSync(join(directory, `${type}.json`), 'utf8');
  return JSON.parse(text) as Record<string, unknown>[];
}

/** The same with a field that a later version might add to every object, but not to the headers of a webhook, whose names are free. */
function withMore(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withMore(item));
  if (typeof value !== 'object' || value === null || name === 'headers') return value;
  const entries = Object.entries(value).map(([key, field]) => [key, withMore(field, key)]);
  return { ...Object.fromEntries(entries), added_later: { any: ['thing'] } };
}

test('every type has a golden file, and every golden file a type', () => {
  const types = [...Object.keys(events), ...Object.keys(requests)];
  expect(readdirSync(directory).sort()).toEqual(types.map((type) => `${type}.json`).sort());
});

describe.each(Object.keys(events) as EventType[])('%s', (type) => {
  const { data } = { data: events[type] };
  test('examples parse to what they are', () => {
    expect(examples(type).length).toBeGreaterThan(0);
    for (const example of examples(type)) {
      expect(envelopeSchema.parse(example)).toEqual(example);
      expect(example.type).toBe(type);
      expect(data.parse(example.data)).toEqual(example.data);
    }
  });
  test('fields of a later version do no harm', () => {
    for (const example of examples(type)) expect(data.safeParse(withMore(example.data)).error).toBeUndefined();
  });
});

describe.each(Object.keys(requests) as RequestType[])('%s', (type) => {
  const { input, output } = requests[type];
  test('examples parse to what they are', () => {
    expect(examples(type).length).toBeGreaterThan(0);
    for (const example of examples(type)) {
      expect(z.encode(input as z.ZodType, input.parse(example.input))).toEqual(example.input);
      expect(z.encode(output as z.ZodType, output.parse(example.output))).toEqual(example.output);
    }
  });
  test('fields of a later version do no harm', () => {
    for (const example of examples(type)) {
      expect(input.safeParse(withMore(example.input)).error).toBeUndefined();
      expect(output.safeParse(withMore(example.output)).error).toBeUndefined();
    }
  });
});
