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
/** Guides name each other by their files, as links in the repository do; a page of a guide has no ending. */
markdown.core.ruler.push('links between guides', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const guide = /^([a-z-]+)\.md$/.exec(String(token.attrGet('href')))?.[1];
    if (guide !== undefined) token.attrSet('href', guide);
  }
});

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
