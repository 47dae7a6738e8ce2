import { z } from 'zod';

/** Bytes in a message: base64 where it is written as JSON. */
export const bytesSchema = z.codec(z.string().meta({ contentEncoding: 'base64' }), z.instanceof(Uint8Array), {
  decode: (text) => new Uint8Array(Buffer.from(text, 'base64')),
  // Called even for what is no Uint8Array, before that is refused.
  encode: ({ buffer, byteOffset, length }) =>
    buffer ? Buffer.from(buffer, byteOffset, length).toString('base64') : '',
});

/** Whether what a schema describes may hold bytes. */
export function holdsBytes(schema: z.ZodType): boolean {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"contentEncoding"');
}
