import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textTag } from './http/version-tag';

/** The page of the console as it is served at many addresses. Undefined where the console was not built. */
export type ConsolePage = () => { readonly text: string; readonly tag: string } | undefined;

/** What the page tells the console: where it is served, the IANA zone in which times are shown, the version of the software. */
export type ConsolePlace = { readonly basePath: string; readonly timeZone: string; readonly version: string };

const build = join(__dirname, '../../console/dist/site');

/** Keeps the page; where it was not built yet it is looked for again. */
export function consolePage(place: ConsolePlace, folder: string = build): ConsolePage {
  let page: ReturnType<ConsolePage>;
  return () => {
    page ??= read(join(folder, 'index.html'), place);
    return page;
  };
}

function read(file: string, place: ConsolePlace): ReturnType<ConsolePage> {
  try {
    const text = filledIn(readFileSync(file, 'utf8'), place);
    return { text, tag: textTag(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The addresses of the build are relative to the page (`./assets/…`), which is served at more than one depth. */
export function filledIn(page: string, { basePath, timeZone, version }: ConsolePlace): string {
  return page
    .replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`)
    .replace('data-base=""', `data-base="${basePath}"`)
    .replace('data-time-zone="UTC"', `data-time-zone="${timeZone}"`)
    .replace('data-version=""', `data-version="${version}"`);
}
