import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

export const manifestName = 'manifest.json';

/** How a backup has the secrets that the installation made for itself (`generated.env`). */
const secretsForm = z.enum(['encrypted', 'left_out', 'none']);

/** What is in a backup: for each file its size, its digest and the number of documents of each collection. */
export const manifestSchema = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  product: z.string(),
  secrets: secretsForm,
  files: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z-]+\.sqlite$/),
        bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        documents: z.record(z.string(), z.int().min(0)),
      }),
    )
    .min(1),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpFile = Manifest['files'][number];

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
