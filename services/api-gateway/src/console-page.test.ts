import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolePage, filledIn } from './console-page';

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
  const built = consolePage(place, folder);
  expect(built()).toBeUndefined();
  writeFileSync(join(folder, 'index.html'), page);
  expect(built()?.text).toContain('src="/shop/assets/a.js"');
});
