import type { Route } from '../http/route';
import { type OpenApi, openApiOf } from '../openapi/document';
import { type AssetName, readAsset, tagOf } from './assets';
import type { GuideName, TextName } from './guides';
import type { Place } from './layout';
import { type Pages, pagesOf } from './reference';
import { type Entry, searchEntries } from './search';
import { subjectsOf } from './subjects';

export type Page = { readonly text: string; readonly tag: string };

/** What the documentation routes answer. Each part is made when it is first asked for. */
export type Documentation = {
  openApi(): { readonly document: OpenApi; readonly tag: string };
  index(): Page;
  /** Undefined where there is no such subject. */
  subject(slug: string): Page | undefined;
  guide(name: GuideName): Page;
  text(name: TextName): Page;
  search(): { readonly entries: readonly Entry[]; readonly tag: string };
  asset(name: AssetName): Page & { readonly type: string };
};

export function documentationOf(table: readonly Route[], place: Place): Documentation {
  const made = new Map<string, unknown>();
  const once = <T>(name: string, make: () => T): T => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
  const tagged = (text: string): Page => ({ text, tag: tagOf(text) });
  const openApi = () =>
    once('openapi', () => {
      const document = openApiOf(table, place);
      return { document, tag: tagOf(JSON.stringify(document)) };
    });
  const pages = (): Pages => once('pages', () => pagesOf(place, table, () => openApi().document));
  const slugs = new Set([...subjectsOf(table).map(({ slug }) => slug), 'objects']);
  return {
    openApi,
    index: () => once('index', () => tagged(pages().index())),
    subject: (slug) => {
      if (!slugs.has(slug)) return undefined;
      return once(`subject ${slug}`, () => tagged(pages().subject(slug) ?? ''));
    },
    guide: (name) => once(`guide ${name}`, () => tagged(pages().guide(name))),
    text: (name) => once(`text ${name}`, () => tagged(pages().text(name))),
    search: () =>
      once('search', () => {
        const entries = searchEntries(subjectsOf(table));
        return { entries, tag: tagOf(JSON.stringify(entries)) };
      }),
    asset: (name) => once(`asset ${name}`, () => readAsset(name)),
  };
}
