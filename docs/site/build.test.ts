import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildDocs } from './build';

const repository = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'documentation-'));
buildDocs(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
const pageAt = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The file that a browser gets at an address below `/docs/`; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const name = path === '' ? 'index.html' : path;
  return [name, `${name}.html`].find((file) => existsSync(join(folder, file)));
}

/** Links of the product itself, beside the documentation. */
const outside = new Set(['/', '/v1/openapi.json']);

test.each(pages)('every link of %s leads to a page, to an element of it, or to another site', (name) => {
  const text = pageAt(name);
  const links = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);
  const relative = links.filter((href) => !/^(https?|data):/.test(href));
  const at = `http://localhost/docs/${name.replace(/(index)?\.html$/, '')}`;
  const lost = relative.filter((href) => {
    const { pathname, hash } = new URL(href, at);
    if (outside.has(pathname)) return false;
    const file = pathname.startsWith('/docs/') ? fileAt(pathname.slice('/docs/'.length)) : undefined;
    return file === undefined || (hash !== '' && !pageAt(file).includes(` id="${hash.slice(1)}"`));
  });
  expect(lost).toEqual([]);
  expect(relative.length).toBeGreaterThan(40);
  expect([...text.matchAll(/<script(?![^>]* src=)|<style| style="| on\w+="/g)]).toEqual([]);
});

test('every guide is on a page, and its links lead to files of the repository', () => {
  const guides = ['guide', 'operations'].flatMap((part) =>
    readdirSync(join(repository, 'docs', part))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => `docs/${part}/${name}`),
  );
  expect(guides.filter((path) => !pages.includes(`guide/${path.replace(/^.*\/(.*)\.md$/, '$1.html')}`))).toEqual([]);
  for (const guide of ['docs/README.md', ...guides]) {
    const links = [...readFileSync(join(repository, guide), 'utf8').matchAll(/\]\(((?!https?:)[^)#]+)[^)]*\)/g)];
    const lost = links.filter(([, href = '']) => !existsSync(join(repository, dirname(guide), href)));
    expect(lost).toEqual([]);
  }
});

test('a section has the address that alerts and links name', () => {
  const alerts = pageAt('guide/alerts.html');
  expect(alerts).toContain('id="store-unavailable"');
  expect(alerts).toContain('href="#store-unavailable"');
});

test('every route has the address that its answers link to', () => {
  const listed = [...pageAt('index.html').matchAll(/<li id="([\w-]+)"><a href="(reference\/[\w-]+)#\1">/g)];
  expect(listed.map(([, id]) => id)).toEqual(expect.arrayContaining(['get-v1-rules', 'delete-v1-audit-log-person']));
});

test.each(pages)('%s has a title and no comments of generators and tests', (name) => {
  const text = pageAt(name);
  const [, title = ''] = /<title>(.+) · Order automation<\/title>/.exec(text) ?? [];
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).not.toMatch(/<!--|&lt;!--|compose: settings/);
});

test.each(['metrics.html', 'configuration.html'])('%s has a table', (name) => {
  expect(pageAt(name)).toContain('<td>');
});

test('the configuration ends where the next part of README.md begins', () => {
  const text = pageAt('configuration.html');
  expect(text).toContain('<code>SECRET_KEY</code>');
  const [, content = ''] = text.split('<main id="content">');
  expect(content.match(/<h\d/g)).toEqual(['<h1']);
});
