import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../files';

export const movedFile = 'moved-to-distributed.json';

const markSchema = z.object({
  /** The same in every database that this folder is moved to. */
  migration: z.string().regex(/^[0-9a-f]{32}$/),
  /** `copying`: begun, and perhaps interrupted. */
  state: z.enum(['copying', 'moved']),
  /** Hosts and namespace, without credentials. */
  to: z.string(),
  at: z.iso.datetime(),
});
export type MovedMark = z.infer<typeof markSchema>;

/** Undefined where the folder was never moved. Throws when the file is not one of ours. */
export function readMark(dataDir: string): MovedMark | undefined {
  const file = join(dataDir, movedFile);
  if (!existsSync(file)) return undefined;
  const parsed = markSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not of a form that this version reads.`);
  return parsed.data;
}

/** It is flushed when this returns. */
export function writeMark(dataDir: string, mark: MovedMark): void {
  replaceFile(join(dataDir, movedFile), `${JSON.stringify(mark, null, 2)}\n`);
}

/** Why a process must not work on the folder, and what to do; undefined when it may. */
export function movedProblem(dataDir: string): string | undefined {
  const mark = readMark(dataDir);
  if (!mark) return undefined;
  const file = join(dataDir, movedFile);
  return mark.state === 'moved'
    ? `was moved to the distributed mode (${mark.to}) on ${mark.at}, where its events go on: start that with npm run start:distributed. ` +
        `To go back to the state of that moment, stop it for good, since what both do would be done twice, and delete ${file}`
    : `is being moved to the distributed mode (${mark.to}) since ${mark.at}: run npm run migrate -- --to-distributed again, which goes on where it ` +
        `was interrupted. To stay here instead, delete ${file}, and drop the databases of that namespace before another try`;
}
