import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { claimDataDir, markComplete, refuseWithoutSome } from './data-dir';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a folder is made with its parents, for its owner alone', () => {
  const path = join(parent, 'a', 'b');
  claimDataDir(path).release();
  expect(modeOf(path)).toBe(0o700);
  for (const name of readdirSync(path)) expect([name, modeOf(join(path, name))]).toEqual([name, 0o600]);
});

test('a folder and files of ours that others could read are closed to them; files of others stay as they are', () => {
  const path = join(parent, 'data');
  mkdirSync(path, { mode: 0o755 });
  const files = ['audit.sqlite', 'audit.sqlite-wal', 'audit.sqlite-shm', 'generated.env', 'notes.txt'];
  for (const name of files) writeFileSync(join(path, name), '');
  for (const name of files) chmodSync(join(path, name), 0o644);
  chmodSync(path, 0o755);
  claimDataDir(path).release();
  expect(modeOf(path)).toBe(0o700);
  expect(files.map((name) => modeOf(join(path, name)))).toEqual([0o600, 0o600, 0o600, 0o600, 0o644]);
});

test('a folder has one claimant at a time, whose pid the next one reads', () => {
  const first = claimDataDir(parent);
  expect(() => claimDataDir(parent)).toThrow(
    `DATA_DIR: is used by another process (pid ${process.pid}); stop that one, or give this one a folder of its own`,
  );
  first.release();
  claimDataDir(parent).release();
});

test('what cannot be a folder of ours is refused with the variable, the reason and an example', () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const shared = join(parent, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  expect(() => claimDataDir(file)).toThrow(/DATA_DIR: is a file, not a folder.*Example: DATA_DIR=\/var\/lib/);
  expect(() => claimDataDir(join(file, 'below'))).toThrow('DATA_DIR: leads through a file');
  expect(() => claimDataDir(shared)).toThrow('DATA_DIR: is a folder that all users share');
  expect(modeOf(shared)).toBe(0o777);
});

test('a full disk is named as one, whether the file system or SQLite says so', () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  jest.spyOn(Database.prototype, 'exec').mockImplementationOnce(() => {
    throw full;
  });
  expect(() => claimDataDir(parent)).toThrow('DATA_DIR: is on a full disk');
});

// The folder may be ours where a file in it is not, after a restore by another user: the file is what an operator has to look for.
test('a file in the folder that cannot be ours is named', () => {
  symlinkSync(join(parent, 'nothing'), join(parent, 'audit.sqlite'));
  expect(() => claimDataDir(parent)).toThrow(
    'DATA_DIR: holds audit.sqlite, which cannot be made or used: the file system is read-only, or a link',
  );
});

// github.com/WiseLibs/better-sqlite3/blob/master/docs/troubleshooting.md: "NODE_MODULE_VERSION" of another Node.js, and no bindings at all.
test.each([
  Object.assign(new Error('was compiled against a different Node.js version'), { code: 'ERR_DLOPEN_FAILED' }),
  new Error('Could not locate the bindings file. Tried:'),
])('a database library that is not built for this Node.js is not a fault of the folder: %s', (fault) => {
  jest.resetModules();
  const broken = jest.fn().mockImplementation(() => {
    throw fault;
  });
  jest.doMock('better-sqlite3', () => broken);
  const fresh = jest.requireActual<{ claimDataDir: typeof claimDataDir }>('./data-dir');
  expect(() => fresh.claimDataDir(parent)).toThrow(
    `better-sqlite3 is not built for this Node.js (${process.version}). Run "npm rebuild better-sqlite3"`,
  );
  jest.dontMock('better-sqlite3');
});

// docs/operations/recover.md: "one database of several: restore all of them from one backup: they belong together".
test('a folder that has lost a database is refused; a first start that was interrupted goes on', () => {
  refuseWithoutSome(parent);
  for (const name of ['shop', 'audit', 'rules', 'evaluation', 'pro-debug', 'gateway-intake', 'api-gateway']) {
    writeFileSync(join(parent, `${name}.sqlite`), 'SQLite format 3');
    refuseWithoutSome(parent);
  }
  rmSync(join(parent, 'shop.sqlite'));
  writeFileSync(join(parent, 'audit.sqlite'), '');
  expect(() => refuseWithoutSome(parent)).toThrow(
    /DATA_DIR: holds a part of an installation.*restore the newest backup.*Missing: shop\.sqlite, audit\.sqlite/,
  );
});

// docs/operations/recover.md: "One process refuses to start on a folder that has lost one, and names it". Without intake's every payment counted as new.
test('a folder that has lost the databases that are made last is refused, and an emptied one is not', () => {
  for (const name of ['shop', 'audit', 'rules', 'evaluation', 'pro-debug'])
    writeFileSync(join(parent, `${name}.sqlite`), 'SQLite format 3');
  refuseWithoutSome(parent);
  markComplete(parent);
  expect(() => refuseWithoutSome(parent)).toThrow(/Missing: gateway-intake\.sqlite, api-gateway\.sqlite/);
  for (const name of ['shop', 'audit', 'rules', 'evaluation', 'pro-debug']) rmSync(join(parent, `${name}.sqlite`));
  refuseWithoutSome(parent);
  // The first start of one that was emptied may be interrupted, too.
  writeFileSync(join(parent, 'shop.sqlite'), 'SQLite format 3');
  refuseWithoutSome(parent);
});
