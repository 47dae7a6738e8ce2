import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { envelopeSchema } from '../src/envelope';
import { events, requests } from '../src/messages';

/**
 * The JSON Schema (2020-12) of every message, by file name: one for each event with its envelope, two for each request. They describe what
 * may be sent: fields with a default may be left out.
 */
export function jsonSchemas(): Map<string, string> {
  const files = new Map<string, string>();
  const add = (name: string, schema: z.ZodType): void => {
    const { $schema, ...rest } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: onTheWire,
    });
    files.set(`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`);
  };
  for (const [type, data] of Object.entries(events)) add(type, envelopeSchema.extend({ type: z.literal(type), data }));
  for (const [type, { input, output }] of Object.entries(requests)) {
    add(`${type}.input`, input);
    add(`${type}.output`, output);
  }
  return files;
}

/** What does not survive JSON has no place in a message; bytes (`custom`) say in their metadata what they are on the wire. */
const notOnTheWire = new Set([
  'bigint',
  'date',
  'function',
  'map',
  'nan',
  'promise',
  'set',
  'symbol',
  'transform',
  'undefined',
  'void',
]);

function onTheWire({ zodSchema }: { zodSchema: z.core.$ZodTypes }): void {
  const { type } = zodSchema._zod.def;
  if (notOnTheWire.has(type)) throw new Error(`a ${type} cannot be part of a message`);
}

/** Writes the schemas into a directory and removes those of messages that are gone. */
export function writeSchemas(directory: string): void {
  const files = jsonSchemas();
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) if (!files.has(name)) rmSync(join(directory, name));
  for (const [name, text] of files) writeFileSync(join(directory, name), text);
}

if (require.main === module) writeSchemas(join(__dirname, '../schemas'));
