import { z } from 'zod';

const base64 = z.string().meta({ contentEncoding: 'base64' });

/** Bytes in a message, written as base64. */
export const bytesSchema = z.codec(base64, z.instanceof(Uint8Array<ArrayBuffer>), {
  decode: (text) => new Uint8Array(Buffer.from(text, 'base64')),
  // Called even for what is no Uint8Array, before that is refused.
  encode: ({ buffer, byteOffset, length }) =>
    buffer ? Buffer.from(buffer, byteOffset, length).toString('base64') : '',
});

/** Whether what a schema describes may hold bytes. */
export const holdsBytes = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"contentEncoding"');
