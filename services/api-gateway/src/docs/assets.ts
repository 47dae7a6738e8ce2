import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that pages load, by name, with their types. */
export const assetTypes = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
} as const;
export type AssetName = keyof typeof assetTypes;

export type Asset = { readonly text: string; readonly type: string; readonly tag: string };

const folder = join(__dirname, '../../assets');

export function readAsset(name: AssetName): Asset {
  const text = readFileSync(join(folder, name), 'utf8');
  return { text, type: assetTypes[name], tag: tagOf(text) };
}

/** An entity tag that changes with the text. */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
