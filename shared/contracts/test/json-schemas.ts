import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { envelopeSchema } from '../src/envelope';
import { events, requests } from '../src/messages';

/**
 * The JSON Schema (2020-12) of every message, by name: one for each event with its envelope, two for each request. They describe what
 * may be sent: fields with a default may be left out.
 */
export function jsonSchemas(): Map<string, string> {
  const files = new Map<string, string>();
  const add = (name: string, schema: z.ZodType): void => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: onTheWire });
    files.set(name, JSON.stringify({ $schema, title: name, ...rest }));
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

/** SHA-256 of each schema by the name of its message: what `messages.lock.json` holds, so that a change of any message shows in a review. */
export function digests(): Record<string, string> {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  return Object.fromEntries([...jsonSchemas()].sort().map(([name, text]) => [name, digest(text)]));
}

export const lockFile = join(__dirname, '../messages.lock.json');

if (require.main === module) writeFileSync(lockFile, `${JSON.stringify(digests(), null, 2)}\n`);
