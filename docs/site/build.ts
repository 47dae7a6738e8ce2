import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeHtml } from '@order-automation/service';
import { openApiOf } from '../../services/api-gateway/src/openapi/document';
import { table } from '../../services/api-gateway/src/routes';
import { rendered } from './markdown';
import { indexPage, type Page, referencePages, textPages } from './pages';
import { subjectsOf } from './reference';
import { searchIndex } from './search';

const service = join(__dirname, '../../services/api-gateway');
const look = join(service, '../console/src/shell');
const { version } = JSON.parse(readFileSync(join(service, 'package.json'), 'utf8')) as { version: string };
const template = readFileSync(join(__dirname, 'page.html'), 'utf8');

/** What pages load, by name, from which files. The look is that of the console. */
const assets: Readonly<Record<string, readonly string[]>> = {
  'docs.css': [
    ...['theme', 'layout', 'parts', 'forms'].map((name) => join(look, `${name}.css`)),
    join(__dirname, 'docs.css'),
  ],
  'docs.js': [join(__dirname, 'docs.js')],
  'minisearch.js': [join(dirname(require.resolve('minisearch')), '../es/index.js')],
};

/** Writes the documentation as files, which link relative to each other and are served as they are. */
export function buildDocs(folder: string): void {
  const texts = textPages();
  const pages = [...texts, ...referencePages(table, openApiOf(table, { version, basePath: '' }))];
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['guide', 'reference', 'assets']) mkdirSync(join(folder, name), { recursive: true });
  for (const page of [indexPage(table), ...pages])
    writeFileSync(join(folder, `${page.path}.html`), htmlOf(page, pages));
  for (const [name, files] of Object.entries(assets))
    writeFileSync(join(folder, 'assets', name), files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  cpSync(join(__dirname, '../pictures'), join(folder, 'assets'), {
    recursive: true,
    filter: (name) => !name.endsWith('.mjs'),
  });
  writeFileSync(join(folder, 'search.json'), JSON.stringify(searchIndex(texts, subjectsOf(table))));
}

function htmlOf(page: Page, pages: readonly Page[]): string {
  const root = page.path.includes('/') ? '../' : './';
  const text = rendered(page.source, root);
  const content = page.group === 'Interface' ? inArticles(text) : withAnchors(text);
  const side = ['Guides', 'Interface', 'Operations'].map((group) => sideOf(group, page, pages, root)).join('');
  const parts: Readonly<Record<string, string>> = { root, version, side, content, title: escapeHtml(page.title) };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

function sideOf(group: string, current: Page, pages: readonly Page[], root: string): string {
  const links = pages
    .filter((page) => page.group === group)
    .map((page) => {
      const mark = page === current ? ' aria-current="page"' : '';
      return `<li><a href="${root}${page.path}"${mark}>${escapeHtml(page.title)}</a></li>`;
    });
  return `<h2>${group}</h2><ul class="plain">${links.join('')}</ul>`;
}

/** Each section of the reference is an element of its own: what is added to a route stands within it. */
function inArticles(html: string): string {
  const [start, ...sections] = html.split(/<h2 id="/);
  return start + sections.map((section) => `<article id="${section.replace('>', '><h2>')}</article>`).join('');
}

/** Answers link to `/docs#get-v1-rules`: the list of all routes has these addresses. */
function withAnchors(html: string): string {
  return html.replaceAll(/<li>(?=<a href="reference\/[\w-]+#([\w-]+)")/g, '<li id="$1">');
}

if (require.main === module) buildDocs(join(service, 'dist/site/docs'));
