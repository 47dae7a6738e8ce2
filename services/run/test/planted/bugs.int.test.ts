import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Planted = { readonly bug: string; readonly file: string; readonly is: string };

const root = join(__dirname, '../../../..');
const bugs: readonly Planted[] = JSON.parse(readFileSync(join(__dirname, 'bugs.json'), 'utf8'));

/** `npm run test:planted` runs them. */
test.each(bugs)('$bug: its place is in $file, once', ({ file, is }) => {
  expect(readFileSync(join(root, file), 'utf8').split(is)).toHaveLength(2);
});
