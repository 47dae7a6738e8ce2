import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Route } from '../../services/api-gateway/src/http/route';
import type { OpenApi } from '../../services/api-gateway/src/openapi/json-schema';
import { pageOfText } from './markdown';
import { contentsText, objectsText, subjectsOf, subjectText } from './reference';

/** A page of the documentation: its address below `/docs/`, the group of the menu that lists it, its Markdown. */
export type Page = { readonly path: string; readonly title: string; readonly group: string; readonly source: string };

const repository = join(__dirname, '../..');

/** The guides, in the order and groups of docs/README.md, without the reference. */
export function textPages(): readonly Page[] {
  const sections = textAt('docs/README.md').split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [group = ''] = section.split('\n', 1);
    return [...section.matchAll(/^- \[.+\]\((.+)\.md(?:#.+)?\)$/gm)].map(([, file = '']) => {
      const path = pageOfText(basename(file));
      return pageOf(path, group, path === 'configuration' ? configuration() : textAt(`docs/${file}.md`));
    });
  });
}

/** The reference, a page for each subject. */
export function referencePages(table: readonly Route[], document: OpenApi): readonly Page[] {
  return [
    ...subjectsOf(table).map((subject) => pageOf(subject.path, 'Interface', subjectText(subject, document))),
    pageOf('reference/objects', 'Interface', objectsText(document)),
  ];
}

/** Where to go from `/docs/`. */
export function indexPage(table: readonly Route[]): Page {
  return pageOf('index', '', `${textAt('docs/README.md')}\n${contentsText(subjectsOf(table))}`);
}

function pageOf(path: string, group: string, source: string): Page {
  return { path, group, source, title: /^# (.+)$/m.exec(source)?.[1] ?? '' };
}

/** Without the comments by which tests and generators find their parts. */
function textAt(path: string): string {
  return readFileSync(join(repository, path), 'utf8').replaceAll(/^<!--.*-->\n/gm, '');
}

function configuration(): string {
  const [, section = ''] = /^#(# Configuration\n[\s\S]*?)(?=^## |(?![\s\S]))/m.exec(textAt('README.md')) ?? [];
  return section;
}
