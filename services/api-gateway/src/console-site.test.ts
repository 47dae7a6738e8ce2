import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { consoleSite, filledIn } from './console-site';

const place = { basePath: '/shop', timeZone: 'Europe/Berlin', version: '1.2.3' };
const page =
  '<html data-base="" data-time-zone="UTC" data-version=""><script src="./assets/a.js"></script><a href="./docs">docs</a>';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-site-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the page says where it is served, and its files are found from any depth', () => {
  expect(filledIn(page, place)).toBe(
    '<html data-base="/shop" data-time-zone="Europe/Berlin" data-version="1.2.3"><script src="/shop/assets/a.js"></script><a href="/shop/docs">docs</a>',
  );
});

test('a build that comes later is found without a restart', () => {
  const site = consoleSite(place, folder);
  expect(site.page()).toBeUndefined();
  expect(site.file('a-1.js')).toBeUndefined();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets/a-1.js'), 'let a;');
  expect(site.page()?.text).toContain('src="/shop/assets/a.js"');
  const file = site.file('a-1.js');
  expect(file?.type).toBe('text/javascript; charset=utf-8');
  expect(gunzipSync(file?.gzip ?? Buffer.alloc(0)).toString()).toBe('let a;');
});

test('only files of the folder with a known type are served', () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.js'), 'no');
  writeFileSync(join(folder, 'assets/a.map'), 'no');
  const site = consoleSite(place, folder);
  for (const name of ['../index.js', 'a.map', 'b.js', '.', '..', '']) expect(site.file(name)).toBeUndefined();
});
