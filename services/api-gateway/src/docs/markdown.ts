import { Html } from '@order-automation/service';
import MarkdownIt from 'markdown-it';

/** Sections have the addresses that a repository gives them: alerts lead to theirs. */
function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

/** HTML within Markdown stays text. */
const markdown = new MarkdownIt({ html: false });
const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (...given) => `<div class="command">${fence?.(...given) ?? ''}</div>`;
// Wide tables scroll by themselves, also by keyboard.
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0" role="group"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';
/** Guides name each other by their files, as links in the repository do; a page of a guide has no ending. */
markdown.core.ruler.push('links between guides', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const guide = /^(?:\.\.\/(?:guide|operations)\/)?([a-z-]+)\.md(#.*)?$/.exec(String(token.attrGet('href')));
    if (guide) token.attrSet('href', `${guide[1]}${guide[2] ?? ''}`);
  }
});
markdown.core.ruler.push('addresses of headings', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag !== 'h1')
      token.attrSet('id', headingSlug(tokens[index + 1]?.content ?? ''));
  }
});

export function rendered(source: string): Html {
  return new Html(markdown.render(source));
}

export type Section = { readonly heading: string; readonly slug: string; readonly text: string };

/** The parts of a text between its headings; that before the first one has the heading of the text. */
export function sectionsOf(source: string): readonly Section[] {
  const parts = source.replaceAll(/^```[\s\S]*?^```/gm, '').split(/^(?=#{1,3} )/m);
  return parts.flatMap((part) => {
    const [, level = '', heading = ''] = /^(#{1,3}) (.+)$/m.exec(part) ?? [];
    if (heading === '') return [];
    return [
      { heading, slug: level === '#' ? '' : headingSlug(heading), text: part.slice(part.indexOf('\n') + 1).trim() },
    ];
  });
}
