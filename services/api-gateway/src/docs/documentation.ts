import { type OpenApi, openApiOf } from '../openapi/document';
import type { Route } from '../routes/route';
import { type AssetName, readAsset, tagOf } from './assets';
import { type GuideName, guidePage } from './guides';
import type { Place } from './layout';
import { referencePage } from './reference';
import { startPage } from './start-page';

export type Page = { readonly text: string; readonly tag: string };

/** What the documentation routes answer. Each part is made when it is first asked for. */
export type Documentation = {
  openApi(): { readonly document: OpenApi; readonly tag: string };
  start(): Page;
  reference(): Page;
  guide(name: GuideName): Page;
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
  return {
    openApi,
    start: () => once('start', () => tagged(startPage(place))),
    reference: () => once('reference', () => tagged(referencePage(place, table, openApi().document))),
    guide: (name) => once(`guide ${name}`, () => tagged(guidePage(place, name))),
    asset: (name) => once(`asset ${name}`, () => readAsset(name)),
  };
}
