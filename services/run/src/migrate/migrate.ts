import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Verified } from '../backup/verify';
import { collectionsOf } from './collections';
import { type Compared, compareCollection } from './compare';
import { copyCollection } from './copy';
import { type MovedMark, movedFile, readMark, writeMark } from './moved-mark';
import { progressLines } from './progress';
import type { Source } from './source';
import type { Moved, Target } from './target';

export type Sides = {
  readonly dataDir: string;
  readonly source: Source;
  readonly target: Target;
  /** The streams of the namespace that hold messages. */
  readonly streams: () => Promise<readonly string[]>;
};

export type MigrateDeps = Sides & {
  readonly verify: () => Promise<Verified>;
  readonly now: () => number;
  readonly write: (line: string) => void;
};

const services = Object.keys(collectionsOf);

/** Throws when the databases or NATS hold anything but what this folder was moved to so far, or it was moved elsewhere. */
async function refuseOther({ dataDir, target, streams }: Sides): Promise<MovedMark | undefined> {
  const mark = readMark(dataDir);
  const foreign = await target.foreign(services, mark?.migration);
  if (foreign.length > 0)
    throw new Error(
      `MongoDB holds data that are not of this migration: ${foreign.slice(0, 5).join(', ')}${foreign.length > 5 ? ' and more' : ''}. ` +
        'Stop the services of that namespace and drop its databases, or name another NAMESPACE. Nothing was written.',
    );
  const held = mark?.state === 'moved' ? [] : await streams();
  if (held.length > 0)
    throw new Error(
      `NATS holds messages of another installation in ${held.join(', ')}, which the services would take for theirs. Stop whatever uses these streams ` +
        'and delete them, or name another NAMESPACE. Nothing was written.',
    );
  const known = await Promise.all(services.map(target.moved));
  const isThere = mark?.state === 'moved' ? known.every(Boolean) : mark?.to === target.name || known.some(Boolean);
  if (!mark || isThere) return mark;
  throw new Error(
    `The move of this folder to ${mark.to} ${mark.state === 'moved' ? 'was done' : 'began'} on ${mark.at}, and ${target.name} holds nothing of it. ` +
      `Give the same MONGODB_URI and NAMESPACE again, or delete ${join(dataDir, movedFile)} to start again. Nothing was written.`,
  );
}

/**
 * Moves a folder that no process uses to the databases: copies, compares every document, verifies the log, marks the folder as moved. A run that was interrupted
 * anywhere is carried on by the next one. Services refuse to start on the databases until the end, and on the folder from the beginning, so that nothing changes
 * on either side meanwhile. Rejects with what is wrong; the folder's databases are never changed. `isNew`: no earlier run had come to its end.
 */
export async function migrate(deps: MigrateDeps) {
  const { dataDir, target, now } = deps;
  const found = await refuseOther(deps);
  const at = new Date(now()).toISOString();
  const mark = found ?? { migration: randomBytes(16).toString('hex'), state: 'copying', to: target.name, at };
  if (!found) writeMark(dataDir, mark);
  if (mark.state === 'copying') {
    await copyAndCompare(deps, mark.migration);
    const log = await deps.verify();
    if (!log.valid) throw brokenLog(log);
    writeMark(dataDir, { ...mark, state: 'moved', at });
  }
  const collections: Compared[] = [];
  for (const service of services) {
    const compared = (await target.moved(service))?.collections ?? [];
    await target.mark(service, mark.migration, { state: 'done', collections: compared });
    collections.push(...compared);
  }
  return { isNew: mark.state === 'copying', collections };
}

function brokenLog({ checked, reason }: Verified): Error {
  return new Error(
    `The log does not verify after ${checked} entries: ${reason} Every document is as it was in the folder, so look for the cause there, before ` +
      'the move. Services do not start on the databases.',
  );
}

/** Copies and compares the services that no earlier run has compared. */
async function copyAndCompare({ source, target, now, write }: MigrateDeps, migration: string): Promise<void> {
  const known = new Map<string, Moved | undefined>();
  for (const service of services) known.set(service, await target.moved(service));
  const open = services.filter((service) => known.get(service)?.state !== 'compared');
  for (const service of open)
    if (!known.get(service)) await target.mark(service, migration, { state: 'copying', collections: [] });
  const parts = source.collections.filter(({ service }) => open.includes(service));
  // Each document is passed twice.
  const progress = progressLines(2 * parts.reduce((sum, { count }) => sum + count, 0), now, write);
  for (const part of parts) await copyCollection(part, target.collection(part.service, part.name), progress);
  for (const service of open) {
    const collections: Compared[] = [];
    for (const part of parts.filter((one) => one.service === service))
      collections.push(await compareCollection(part, target.collection(service, part.name), progress));
    await target.mark(service, migration, { state: 'compared', collections });
  }
  progress.end();
}

/** What a migration would do, with how many documents of each collection each side has; changes nothing. Rejects where it would refuse. */
export async function checkMigration(deps: Sides) {
  const { source, target } = deps;
  await refuseOther(deps);
  const counted = [];
  for (const { service, name: collection, count: documents } of source.collections)
    counted.push({ service, collection, documents, moved: await target.collection(service, collection).count() });
  return counted;
}
