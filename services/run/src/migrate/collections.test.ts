import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupOrder } from '../backup/back-up';
import { collectionsOf } from './collections';

const root = join(__dirname, '../../../..');

/** Sources of a package, without its tests, by path. */
function sources(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** Every place that opens a collection, with what names it. */
const opened =
  /\b(?:store\.collection|openJobs)(?:<[^(]*>)?\((?:store,)?\s*(?:'(\w+)'|(\w+))|\bsenders = \{ name: '(\w+)'/g;
const namesIn = (folder: string): string[] =>
  sources(folder).flatMap((text) =>
    [...text.matchAll(opened)].map(([, name, variable, senders]) => name ?? senders ?? `{${variable}}`),
  );

/** `openJobs` and `openSenders` themselves, whose callers name the collection, and the log's clearing of collections that it opens by name elsewhere. */
const byVariable = new Set(['{name}', '{collection}', '{store}']);

test.each([...backupOrder])('every collection that %s opens moves to the distributed mode', (service) => {
  const found = [...namesIn(`services/${service}`), ...namesIn('shared/service')];
  const names = [...new Set(found)].filter((name) => !byVariable.has(name)).sort();
  expect(names.length).toBeGreaterThan(4);
  expect([...(collectionsOf[service] ?? [])].sort()).toEqual(names);
});

test('every service with a database moves', () => {
  expect(Object.keys(collectionsOf).sort()).toEqual([...backupOrder].sort());
});
