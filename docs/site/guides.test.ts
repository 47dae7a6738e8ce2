import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import guides from '../../services/console/src/shell/guides.json';
import { slugOf } from './markdown';

test.each(Object.entries(guides))('the guide about %s is there, with its heading: %s', (_, address) => {
  const [page = '', anchor] = address.split('#');
  const text = readFileSync(join(__dirname, `../guide/${page}.md`), 'utf8');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
  expect(anchor === undefined || headings.includes(anchor)).toBe(true);
});
