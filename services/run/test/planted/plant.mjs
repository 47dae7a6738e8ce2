import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run test:planted [-- WORD]`: puts each bug of `bugs.json` (those whose text has the word) into a copy of the project and runs the tests that must
 * find it. Exit code 1 when more than one in twenty is not found. Takes about five minutes.
 */
const root = join(import.meta.dirname, '../../../..');
const word = process.argv[2] ?? '';
const bugs = JSON.parse(readFileSync(join(import.meta.dirname, 'bugs.json'), 'utf8')).filter(({ bug }) =>
  bug.includes(word),
);
/** Tests that pass without a bug. */
const clean = new Set();
const copy = mkdtempSync(join(tmpdir(), 'order-automation-planted-'));

try {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');
  for (const path of tracked) if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  linkModules('node_modules');
  const missed = bugs.filter((planted) => !isFound(planted));
  process.stdout.write(`${bugs.length - missed.length} of ${bugs.length} planted bugs were found\n`);
  process.exitCode = missed.length * 20 > bugs.length ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Packages of others are those of the project, its own are those of the copy. */
function linkModules(folder) {
  mkdirSync(join(copy, folder));
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name);
    if (name === '@order-automation') linkModules(path);
    else symlinkSync(folder === 'node_modules' ? join(root, path) : readlinkSync(join(root, path)), join(copy, path));
  }
}

function isFound({ bug, file, is, becomes, found_by: [project, path] }) {
  const source = readFileSync(join(root, file), 'utf8');
  if (!clean.has(path) && testsWith(project, path).failed > 0) throw new Error(`${path} fails without a planted bug`);
  clean.add(path);
  const began = Date.now();
  writeFileSync(
    join(copy, file),
    source.replace(is, () => becomes),
  );
  const { passed, failed } = testsWith(project, path);
  writeFileSync(join(copy, file), source);
  const seconds = Math.round((Date.now() - began) / 1_000);
  const verdict = failed > 0 ? 'found' : 'MISSED';
  process.stdout.write(
    `${verdict.padEnd(6)} ${bug} (${path}: ${failed} of ${passed + failed} tests failed, ${seconds} s)\n`,
  );
  return failed > 0;
}

/** `path`: of tests; of `sh` a command. */
function testsWith(project, path) {
  if (project === 'sh') {
    const { status } = spawnSync('sh', ['-c', path], { cwd: copy, stdio: 'ignore' });
    return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  }
  const args = ['jest', '--selectProjects', project, '-w', '2', '--', path];
  // What never comes need not be waited for long.
  const env = { TEST_PATIENCE: '0.3', ...process.env };
  const { stdout } = spawnSync('npx', args, { cwd: copy, encoding: 'utf8', maxBuffer: 1e9, env });
  const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
  if (failed === undefined) throw new Error(`${path} did not run:\n${stdout.slice(-2_000)}`);
  return { passed: Number(passed), failed: Number(failed) };
}
