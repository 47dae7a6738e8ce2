import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { Html, html } from './html';
import { type Place, page } from './layout';

export const guideNames = [
  'first-rule',
  'connect-a-gateway',
  'import-a-shop',
  'why-did-an-order-not-move',
  'read-the-log',
  'write-an-extension',
  'woocommerce',
] as const;
export type GuideName = (typeof guideNames)[number];

const folder = join(__dirname, '../../../../docs/guide');

/** HTML within Markdown stays text. */
const markdown = new MarkdownIt({ html: false });
const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (...given) => `<div class="command">${fence?.(...given) ?? ''}</div>`;

function sourceOf(name: GuideName): string {
  return readFileSync(join(folder, `${name}.md`), 'utf8');
}

export function guideTitle(name: GuideName): string {
  return /^# (.+)$/m.exec(sourceOf(name))?.[1] ?? name;
}

export function guidePage(place: Place, name: GuideName): string {
  const content = new Html(markdown.render(sourceOf(name)));
  return page(place, `${guideTitle(name)} · Order automation`, html`${content}`);
}
