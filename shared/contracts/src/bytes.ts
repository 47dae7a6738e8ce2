import { z } from 'zod';

const written = z
  .custom<string | Uint8Array<ArrayBuffer>>((value) => typeof value === 'string' || value instanceof Uint8Array)
  .meta({ type: 'string', contentEncoding: 'base64' });

/** Bytes in a message: base64 where it is written as JSON, themselves where it is handed over within a thread. */
export const bytesSchema = z.codec(written, z.instanceof(Uint8Array), {
  decode: (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value),
  // Called even for what is no Uint8Array, before that is refused.
  encode: ({ buffer, byteOffset, length }) =>
    buffer ? Buffer.from(buffer, byteOffset, length).toString('base64') : '',
});

/** Whether what a schema describes may hold bytes. */
export const holdsBytes = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"contentEncoding"');
