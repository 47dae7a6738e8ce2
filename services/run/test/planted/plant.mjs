import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * `npm run test:planted [-- WORD]`: puts each bug of `bugs.json` (those whose text has the word) into a copy of the project and runs the tests that must
 * find it. Exit code 1 when more than one in twenty is not found. Takes about ten minutes; needs `cp` with hard links.
 */
const root = join(import.meta.dirname, '../../../..');
const word = process.argv[2] ?? '';
const bugs = JSON.parse(readFileSync(join(import.meta.dirname, 'bugs.json'), 'utf8')).filter(({ bug }) =>
  bug.includes(word),
);
const copy = mkdtempSync(join(tmpdir(), 'order-automation-planted-'));
const link = (path) => execFileSync('cp', ['-al', join(root, path), join(copy, path)]);

try {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');
  for (const path of tracked) if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  link('node_modules');
  const own = new Set(tracked.filter((path) => /^(shared|services)\/[^/]+\/package\.json$/.test(path)).map(dirname));
  for (const path of own) if (existsSync(join(root, path, 'node_modules'))) link(join(path, 'node_modules'));
  const missed = bugs.filter((planted) => !isFound(planted));
  process.stdout.write(`${bugs.length - missed.length} of ${bugs.length} planted bugs were found\n`);
  process.exitCode = missed.length * 20 > bugs.length ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isFound({ bug, file, is, becomes, found_by: [project, path] }) {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(is).length !== 2) throw new Error(`${file} does not have exactly one: ${is}`);
  writeFileSync(
    join(copy, file),
    source.replace(is, () => becomes),
  );
  const began = Date.now();
  const { stdout } = spawnSync('npx', ['jest', '--selectProjects', project, '-w', '2', '--', path], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  writeFileSync(join(copy, file), source);
  const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
  if (failed === undefined) throw new Error(`${path} did not run:\n${stdout.slice(-2_000)}`);
  const seconds = Math.round((Date.now() - began) / 1_000);
  const verdict = Number(failed) > 0 ? 'found' : 'MISSED';
  process.stdout.write(
    `${verdict.padEnd(6)} ${bug} (${path}: ${failed} of ${Number(passed) + Number(failed)} tests failed, ${seconds} s)\n`,
  );
  return Number(failed) > 0;
}
