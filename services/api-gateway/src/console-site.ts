import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { textTag } from './http/version-tag';

/** The build of the console as it is served: one page at many addresses, and the files that it loads. */
export type ConsoleSite = {
  /** Undefined where the console was not built. */
  page(): { readonly text: string; readonly tag: string } | undefined;
  file(name: string): ConsoleFile | undefined;
};

export type ConsoleFile = { readonly bytes: Buffer; readonly gzip: Buffer; readonly type: string };

/** What the page tells the console: where it is served, the IANA zone in which times are shown, the version of the software. */
export type ConsolePlace = { readonly basePath: string; readonly timeZone: string; readonly version: string };

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const build = join(__dirname, '../../console/dist/site');

export function consoleSite(place: ConsolePlace, folder: string = build): ConsoleSite {
  const once = memory();
  return {
    page: () => once('page', () => pageOf(folder, place)),
    file: (name) => once(`file ${name}`, () => fileOf(join(folder, 'assets'), name)),
  };
}

/** Keeps what was found; what is not there yet is looked for again. */
function memory() {
  const kept = new Map<string, unknown>();
  return <T>(key: string, find: () => T | undefined): T | undefined => {
    const found = (kept.get(key) as T | undefined) ?? find();
    if (found !== undefined) kept.set(key, found);
    return found;
  };
}

function pageOf(folder: string, place: ConsolePlace): { text: string; tag: string } | undefined {
  const source = ifBuilt(() => readFileSync(join(folder, 'index.html'), 'utf8'));
  if (source === undefined) return undefined;
  const text = filledIn(source, place);
  return { text, tag: textTag(text) };
}

/** The addresses of the build are relative to the page (`./assets/…`), which is served at more than one depth. */
export function filledIn(page: string, { basePath, timeZone, version }: ConsolePlace): string {
  return page
    .replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`)
    .replace('data-base=""', `data-base="${basePath}"`)
    .replace('data-time-zone="UTC"', `data-time-zone="${timeZone}"`)
    .replace('data-version=""', `data-version="${version}"`);
}

/** Names carry a hash of their content. Only what is in the folder is served, whatever the address says. */
function fileOf(folder: string, name: string): ConsoleFile | undefined {
  const type = types[name.split('.').at(-1) ?? ''];
  if (type === undefined || !ifBuilt(() => readdirSync(folder))?.includes(name)) return undefined;
  const bytes = readFileSync(join(folder, name));
  return { bytes, gzip: gzipSync(bytes, { level: 9 }), type };
}

/** What is read from the build; undefined where that was not made. */
function ifBuilt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
