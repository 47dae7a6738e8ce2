import MiniSearch from 'minisearch';
import { operationIdOf } from '../../services/api-gateway/src/http/route';
import { refusalsOf } from '../../services/api-gateway/src/openapi/refusals';
import { sectionsOf } from './markdown';
import type { Page } from './pages';
import type { Subject } from './reference';
import synonyms from './synonyms.json';

/** Something that the search finds: its address below `/docs/`, what it is called, and the words that lead to it. */
type Entry = { readonly path: string; readonly title: string; readonly kind: string; readonly words: string };

/** Words that people look for, and words of ours that mean the same. */
const otherWords: Readonly<Record<string, readonly string[]>> = synonyms;

/** An index of routes, of texts by their sections, and of variables one by one, with the options that read it. */
export function searchIndex(texts: readonly Page[], subjects: readonly Subject[]) {
  const options = {
    fields: ['title', 'words'],
    storeFields: ['path', 'title', 'kind'],
    searchOptions: { combineWith: 'AND' as const, prefix: true, fuzzy: 0.15, boost: { title: 3 } },
  };
  const index = new MiniSearch(options);
  const entries = [...subjects.flatMap(routesOf), ...texts.flatMap(partsOf), ...texts.flatMap(variablesOf)];
  index.addAll(entries.map((entry, id) => ({ ...entry, id, words: withOtherWords(entry) })));
  return { options, index };
}

function routesOf({ path, title, rows }: Subject): Entry[] {
  return rows.map((row) => ({
    path: `${path}#${operationIdOf(row)}`,
    title: `${row.summary}: ${row.method} ${row.path}`,
    kind: title,
    words: [row.description ?? '', ...refusalsOf(row).map(({ code }) => code)].join(' '),
  }));
}

function partsOf({ path, title, group, source }: Page): Entry[] {
  return sectionsOf(source).map(({ heading, id, text }) => ({
    path: id === '' ? path : `${path}#${id}`,
    title: heading === title ? title : `${title}: ${heading}`,
    kind: group,
    words: text,
  }));
}

function variablesOf({ path, title, source }: Page): Entry[] {
  if (path !== 'configuration') return [];
  const rows = [...source.matchAll(/^\| `([A-Z_]+)` \|(.*)$/gm)];
  return rows.map(([, name = '', words = '']) => ({ path, title: name, kind: title, words }));
}

function withOtherWords({ title, words }: Entry): string {
  const text = `${title} ${words}`.toLowerCase();
  const meant = Object.entries(otherWords).filter(([, same]) => same.some((word) => text.includes(word)));
  return [words, ...meant.map(([word]) => word)].join(' ');
}
