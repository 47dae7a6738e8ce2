import { operationIdOf } from '../http/route';
import { refusalsOf } from '../openapi/refusals';
import { guideNames, guideSource, textNames, textSource, titleOf } from './guides';
import { sectionsOf } from './markdown';
import type { Subject } from './subjects';

/** Something that the search finds: where it is, and the words by which it is found. */
export type Entry = { readonly path: string; readonly title: string; readonly kind: string; readonly words: string };

/** Words that people look for, and words of ours that mean the same. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  undo: ['restore', 'rollback', 'earlier version'],
  failed: ['dead letter', 'given up', 'failed', 'refused'],
  retry: ['replay', 'resend', 'again'],
  'log in': ['session', 'login', 'password'],
  history: ['versions', 'audit log', 'log'],
  backup: ['data_dir', 'export'],
  privacy: ['erase', 'personal'],
  gdpr: ['erase', 'personal'],
  monitoring: ['metrics', '/metrics', 'readyz'],
  invite: ['create a user'],
  simulate: ['test a rule', 'test a gateway'],
  why: ['did not match', 'test a rule', 'would_fire'],
};

/** Everything that can be found: routes, guides and texts by their parts, variables one by one. */
export function searchEntries(subjects: readonly Subject[]): readonly Entry[] {
  return [
    ...subjects.flatMap(routesOf),
    ...guideNames.flatMap((name) => textOf(guideSource(name), `/docs/guide/${name}`, 'Guide')),
    ...textNames.flatMap((name) => textOf(textSource(name), `/docs/${name}`, titleOf(textSource(name)))),
    ...variables(),
  ].map((entry) => ({ ...entry, words: withOtherWords(`${entry.title} ${entry.words}`.toLowerCase()) }));
}

function routesOf({ slug, rows, tag }: Subject): Entry[] {
  return rows.map((row) => ({
    path: `/docs/reference/${slug}#${operationIdOf(row)}`,
    title: `${row.summary}: ${row.method} ${row.path}`,
    kind: tag,
    words: [row.description ?? '', ...refusalsOf(row).map(({ code }) => code)].join(' '),
  }));
}

function textOf(source: string, path: string, kind: string): Entry[] {
  const title = titleOf(source);
  return sectionsOf(source).map(({ heading, slug, text }) => ({
    path: slug === '' ? path : `${path}#${slug}`,
    title: heading === title ? title : `${title}: ${heading}`,
    kind,
    words: text.replaceAll(/[|`*[\]()#-]+/g, ' ').replaceAll(/\s+/g, ' '),
  }));
}

function variables(): Entry[] {
  return [...textSource('configuration').matchAll(/^\| `([A-Z_]+)` \|(.*)$/gm)].map(([, name = '', rest = '']) => ({
    path: '/docs/configuration',
    title: name,
    kind: 'Configuration',
    words: rest.replaceAll(/[|`]+/g, ' '),
  }));
}

function withOtherWords(text: string): string {
  const meant = Object.entries(otherWords).filter(([, words]) => words.some((word) => text.includes(word)));
  return [text, ...meant.map(([word]) => word)].join(' ');
}
