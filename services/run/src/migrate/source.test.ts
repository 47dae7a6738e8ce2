import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSource } from './source';

// docs/operations/upgrade.md: "Every version reads the data of the one before it". b457727 makes `owed`, `effects`, `entries` and `rule_import_lock`.
test('a collection that an earlier version left empty does not move; one with documents that nobody knows is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'order-automation-source-'));
  const file = new Database(join(folder, 'gateway-intake.sqlite'));
  for (const name of ['store_version', 'owed', 'inbox', 'entries'])
    file.exec(`CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc TEXT NOT NULL)`);
  const source = openSource(folder);
  expect(source.collections.map(({ name }) => name)).toEqual(['inbox', 'store_version']);
  source.close();
  file.exec(`INSERT INTO owed (id, doc) VALUES ('a', '{"_id":"a"}')`);
  expect(() => openSource(folder)).toThrow('does not know: owed');
  file.close();
  rmSync(folder, { recursive: true });
});
