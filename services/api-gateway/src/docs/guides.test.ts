import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { guideNames, guideSource, textNames, textSource, titleOf } from './guides';
import { rendered } from './markdown';

test.each(guideNames)('every link of %s leads to a guide, to another page or to another site', (name) => {
  const links = [...rendered(guideSource(name)).text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => String(href));
  const relative = links.filter((href) => !/^(https?:|\/|#)/.test(href)).map((href) => href.replace(/#.*$/, ''));
  for (const href of relative) expect(guideNames).toContain(href);
});

test('a section has the address that alerts and links name', () => {
  const { text } = rendered(guideSource('alerts'));
  expect(text).toContain('id="store-unavailable"');
  expect(text).toContain('href="#store-unavailable"');
  expect(guideSource('install-compose')).not.toContain('compose: settings');
});

test('a link between guides works in the repository and on their pages', () => {
  expect(existsSync(join(__dirname, '../../../../docs/guide/why-did-an-order-not-move.md'))).toBe(true);
  expect(rendered(guideSource('read-the-log')).text).toContain('<a href="why-did-an-order-not-move">');
});

test.each(textNames)('%s has a title and a table, and no comments of the generator', (name) => {
  const source = textSource(name);
  expect(titleOf(source)).not.toBe('');
  expect(rendered(source).text).toContain('<td>');
  expect(source).not.toContain('<!--');
});

test('the configuration ends where the next part of README.md begins', () => {
  const source = textSource('configuration');
  expect(source).toContain('`SECRET_KEY`');
  expect(source.match(/^#+ /gm)).toEqual(['# ']);
});
