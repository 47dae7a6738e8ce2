import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Verified } from '../backup/verify';
import { collectionsOf } from './collections';
import { type Compared, compareCollection } from './compare';
import { copyCollection } from './copy';
import { type MovedMark, movedFile, readMark, writeMark } from './moved-mark';
import { type Progress, progressLines } from './progress';
import type { Source, SourceCollection } from './source';
import type { Target } from './target';

export type MigrateDeps = {
  readonly dataDir: string;
  readonly source: Source;
  readonly target: Target;
  /** Checks the log in the databases. */
  readonly verify: () => Promise<Verified>;
  readonly now: () => number;
  readonly write: (line: string) => void;
};

export type Migrated = {
  /** Of this run: a service that an interrupted run had finished is not compared again. */
  readonly collections: readonly Compared[];
  readonly log: Verified;
};

const services = Object.keys(collectionsOf);

/** Throws when the databases hold anything but what this folder was moved to so far, or it was moved elsewhere. */
async function refuseOther({
  dataDir,
  target,
}: Pick<MigrateDeps, 'dataDir' | 'target'>): Promise<MovedMark | undefined> {
  const mark = readMark(dataDir);
  const foreign = await target.foreign(services, mark?.migration);
  if (foreign.length > 0)
    throw new Error(
      `MongoDB holds data that are not of this migration: ${foreign.slice(0, 5).join(', ')}${foreign.length > 5 ? ' and more' : ''}. ` +
        'Stop the services of that namespace and drop its databases, or name another NAMESPACE. Nothing was written.',
    );
  if (!mark || mark.to === target.name || (await target.state(services[0] ?? '')) !== undefined) return mark;
  throw new Error(
    `The move of this folder to ${mark.to} began on ${mark.at}, and this is ${target.name}. Give the same MONGODB_URI and NAMESPACE again, or ` +
      `delete ${join(dataDir, movedFile)} to begin elsewhere. Nothing was written.`,
  );
}

/**
 * Moves a folder that no process uses to the databases: copies, compares every document, verifies the log, marks the folder as moved. A run that was
 * interrupted anywhere is carried on by the next one. Services refuse to start on the databases until the end, and on the folder from the
 * beginning, so that nothing changes on either side meanwhile. Undefined where the folder was moved before. Rejects with what is wrong; the
 * folder's databases are never changed.
 */
export async function migrate(deps: MigrateDeps): Promise<Migrated | undefined> {
  const { dataDir, target, now } = deps;
  const found = await refuseOther(deps);
  const at = new Date(now()).toISOString();
  const mark = found ?? { migration: randomBytes(16).toString('hex'), state: 'copying', to: target.name, at };
  if (!found) writeMark(dataDir, mark);
  if (mark.state === 'copying') {
    const collections = await copyAndCompare(deps, mark.migration);
    const log = await deps.verify();
    if (!log.valid) throw brokenLog(log);
    writeMark(dataDir, { ...mark, state: 'moved', at });
    await markDone(target, mark.migration);
    return { collections, log };
  }
  await markDone(target, mark.migration);
  return undefined;
}

async function markDone(target: Target, migration: string): Promise<void> {
  for (const service of services) await target.mark(service, migration, 'done');
}

function brokenLog({ checked, reason }: Verified): Error {
  return new Error(
    `The log does not verify after ${checked} entries: ${reason}. Every document is as it was in the folder, so look for the cause there, before ` +
      'the move. Services do not start on the databases.',
  );
}

async function copyAndCompare({ source, target, now, write }: MigrateDeps, migration: string): Promise<Compared[]> {
  const states = new Map<string, string | undefined>();
  for (const service of services) states.set(service, await target.state(service));
  const open = source.collections.filter(({ service }) => states.get(service) !== 'compared');
  for (const service of services)
    if (states.get(service) === undefined) await target.mark(service, migration, 'copying');
  // Each document is passed twice.
  const progress = progressLines(2 * open.reduce((sum, { count }) => sum + count, 0), now, write);
  for (const one of open) await copyCollection(one, target.collection(one.service, one.name), progress);
  const compared: Compared[] = [];
  for (const service of services.filter((name) => states.get(name) !== 'compared')) {
    const parts = open.filter((one) => one.service === service);
    compared.push(...(await compareAll(parts, target, progress)));
    await target.mark(service, migration, 'compared');
  }
  progress.end();
  return compared;
}

async function compareAll(parts: readonly SourceCollection[], target: Target, progress: Progress) {
  const compared: Compared[] = [];
  for (const one of parts)
    compared.push(await compareCollection(one, target.collection(one.service, one.name), progress));
  return compared;
}

/** A collection with how many documents each side has. */
export type Counted = {
  readonly service: string;
  readonly collection: string;
  readonly documents: number;
  readonly moved: number;
};

/** What a migration would do; changes nothing. Rejects where it would refuse. */
export async function checkMigration(deps: Pick<MigrateDeps, 'dataDir' | 'source' | 'target'>): Promise<Counted[]> {
  const { source, target } = deps;
  await refuseOther(deps);
  const counted: Counted[] = [];
  for (const { service, name: collection, count: documents } of source.collections)
    counted.push({ service, collection, documents, moved: await target.collection(service, collection).count() });
  return counted;
}
