import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { guideNames, guidePage } from './guides';

const place = { basePath: '', version: '1.0.0' };

test.each(guideNames)('every link of %s leads to a guide or to another site', (name) => {
  const links = [...guidePage(place, name).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => String(href));
  const relative = links.filter((href) => !/^(https?:|\/|#)/.test(href));
  for (const href of relative) expect(guideNames).toContain(href);
});

test('a link between guides works in the repository and on their pages', () => {
  expect(existsSync(join(__dirname, '../../../../docs/guide/why-did-an-order-not-move.md'))).toBe(true);
  expect(guidePage(place, 'read-the-log')).toContain('<a href="why-did-an-order-not-move">');
});
