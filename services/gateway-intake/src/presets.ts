import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalidParameters, presetSchema } from '@order-automation/contracts';
import { z } from 'zod';

const headers = z.record(z.string().regex(/^[a-z0-9-]+$/), z.string());

/** A file of `assets/presets`: what people see of it, an event as the sender sends it, and a signature that can be computed again. */
const presetFileSchema = presetSchema
  .extend({
    /** `{order}` stands for the number of an order; `reads` is what the event must be read as. */
    sample: z
      .object({
        headers: headers.default({}),
        body: z.record(z.string(), z.unknown()),
        reads: z.object({
          type: z.string(),
          transaction: z.string().nullable(),
          amount: z.string().nullable(),
          currency: z.string().nullable(),
        }),
      })
      .optional(),
    /** `now` in milliseconds; `body` is what was signed, byte for byte. Tests replace the order 1010 and the second 1760000000 of ours. */
    vector: z
      .object({
        source: z.string(),
        now: z.int(),
        secret: z.string(),
        url: z.string().optional(),
        headers,
        body: z.string(),
      })
      .optional(),
  })
  .strict();
export type PresetFile = z.infer<typeof presetFileSchema>;

/** Beside `src` and `dist`, so that both find it. */
const folder = join(__dirname, '..', 'assets', 'presets');

/** Every preset by its id, in the order of names. A file that does not fit its schema stops the start. */
export const presets: ReadonlyMap<string, PresetFile> = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => presetFileSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map((preset) => [preset.id, preset]),
);

/** The preset of a connection. 400 when there is none, or when its gateway is built in. */
export function presetOf(id: string): PresetFile {
  const preset = presets.get(id);
  const refuse = (message: string) => invalidParameters([{ path: 'preset', message }]);
  if (!preset) throw refuse('is not the id of a preset: GET /v1/webhooks/presets lists them');
  if (preset.gateway !== undefined)
    throw refuse(`belongs to the gateway ${preset.gateway}, which is built in and needs no connection`);
  return preset;
}
