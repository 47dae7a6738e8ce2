import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '@order-automation/service';
import Database from 'better-sqlite3';
import { restoringFile } from './files';
import folderProblems from './folder-problems.json';
import { movedProblem } from './migrate/moved-mark';

const lockFile = 'process.lock';
const pidFile = 'process.pid';
const ownFiles = /\.(sqlite(-\w+)?|env(\.new)?|lock|pid)$|^complete$/;
const sharedFolder = 0o1000;

/**
 * Takes a data folder for this process alone until it is released: makes it when it is missing, closes it and our files in it to other users
 * whatever their mode was. The claim is an exclusive lock that SQLite holds, so that the operating system releases it when the process is killed.
 * Throws ConfigError, with the pid of the process that has the folder, and when its data were moved to the distributed mode, unless `evenIfMoved`.
 */
export function claimDataDir(path: string, { evenIfMoved = false } = {}) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if ((statSync(path).mode & sharedFolder) !== 0)
      throw refusal('is a folder that all users share; name one for this product alone');
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) if (ownFiles.test(name)) chmodSync(join(path, name), 0o600);
    const lock = acquireLock(path);
    const problem = existsSync(join(path, restoringFile))
      ? folderProblems.restoring
      : evenIfMoved
        ? undefined
        : movedProblem(path);
    if (problem !== undefined) {
      lock.close();
      throw refusal(problem);
    }
    writeFileSync(join(path, pidFile), `${process.pid}\n`, { mode: 0o600 });
    return { release: () => void lock.close() };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (isNotBuilt(error)) throw new Error(notBuilt, { cause: error });
    throw refusal(`${whereIn(path, error)}${reasonOf(error)} (the value is ${JSON.stringify(path)})`);
  }
}

/** After a change of Node.js, and after an installation without its scripts. */
const notBuilt = `better-sqlite3 is not built for this Node.js (${process.version}). Run "npm rebuild better-sqlite3" with it, then start again.`;
const isNotBuilt = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_DLOPEN_FAILED' || /bindings file/.test(String(error));

/** The file in the folder that the error is about, such as one that a restore by another user left. */
function whereIn(path: string, error: unknown): string {
  const { path: of = path } = error as { path?: string };
  return dirname(resolve(of)) === resolve(path) ? `holds ${basename(of)}, which ` : '';
}

function acquireLock(path: string): Database.Database {
  const lock = new Database(join(path, lockFile), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    chmodSync(join(path, lockFile), 0o600);
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw refusal(
      `is used by another process${pidOf(path)}; stop that one, or give this one a folder of its own (the value is ${JSON.stringify(path)})`,
    );
  }
}

function pidOf(path: string): string {
  try {
    return ` (pid ${Number(readFileSync(join(path, pidFile), 'utf8'))})`;
  } catch {
    return '';
  }
}

const reasons: Readonly<Record<string, string>> = folderProblems;

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? 'unknown reason';
  return reasons[code] ?? `cannot be made or used (${code})`;
}

/** In the order in which the first start makes them. */
const databases = ['shop', 'audit', 'rules', 'evaluation', 'pro-debug', 'gateway-intake', 'api-gateway'];

/** Is there once every database was made. */
const completeFile = 'complete';

export const markComplete = (path: string): void => writeFileSync(join(path, completeFile), '', { mode: 0o600 });

/**
 * Refuses a folder that has lost a database: what would be made in its place lacks the orders, the users or the keys that the others count on. A first
 * start that was interrupted goes on; a folder without any database begins anew, whatever was in it before.
 */
export function refuseWithoutSome(path: string): void {
  const isThere = databases.map((name) => statSync(join(path, `${name}.sqlite`), { throwIfNoEntry: false })?.size);
  if (!isThere.some(Boolean)) rmSync(join(path, completeFile), { force: true });
  const isComplete = existsSync(join(path, completeFile));
  const lost = databases.filter((_, index) => !isThere[index] && isThere.slice(isComplete ? 0 : index).some(Boolean));
  if (lost.length > 0) throw refusal(`${folderProblems.lost} ${lost.map((name) => `${name}.sqlite`).join(', ')}`);
}

/** Of a folder in which nothing was ever started. */
export const noInstallation = (path: string): ConfigError =>
  refusal(`holds no installation (the value is ${JSON.stringify(path)})`);

const refusal = (problem: string): ConfigError =>
  new ConfigError([{ variable: 'DATA_DIR', problem, example: '/var/lib/order-automation' }]);
