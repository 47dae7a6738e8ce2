import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

// Builds the console, unless its build is newer than everything that it is made from.

const here = import.meta.dirname;
const page = join(here, 'dist/site/index.html');
const inputs = ['index.html', 'package.json', 'vite.config.mjs', 'src', '../api-gateway/src/client.ts'];

const changedAt = (path) =>
  statSync(path).isDirectory()
    ? Math.max(statSync(path).mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
    : statSync(path).mtimeMs;

const newest = Math.max(...inputs.map((name) => changedAt(join(here, name))));
if (!existsSync(page) || statSync(page).mtimeMs < newest) {
  // A build that fails leaves nothing that looks current.
  rmSync(page, { force: true });
  await build({ configFile: join(here, 'vite.config.mjs'), logLevel: 'warn' });
}
