import MarkdownIt, { type Token } from 'markdown-it';

/** The part of a text below one heading; the first part has no id. */
export type Section = { readonly id: string; readonly heading: string; readonly text: string };

/** HTML within Markdown stays text. */
const markdown = new MarkdownIt({ html: false });
const { fence } = markdown.renderer.rules;
markdown.renderer.rules.fence = (...given) => `<div class="command">${fence?.(...given) ?? ''}</div>`;
// Wide tables scroll by themselves, also by keyboard.
markdown.renderer.rules.table_open = () => '<div class="tablescroll" tabindex="0" role="group"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/** `## Text {#id}` names its id; any other heading has the one that a repository gives it, which alerts lead to. */
markdown.core.ruler.before('inline', 'ids of headings', ({ tokens }) => {
  const taken = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const content = tokens[index + 1];
    if (token.type !== 'heading_open' || token.tag === 'h1' || !content) continue;
    const [text = '', id = slugOf(text)] = content.content.split(/ \{#([\w-]+)\}$/);
    content.content = text;
    if (!taken.has(id)) token.attrSet('id', id);
    taken.add(id);
  }
});

/** Guides name each other by their files, as links in the repository do; their pages have no ending. */
markdown.core.ruler.push('links between pages', ({ tokens, env }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const [, name = '', hash = ''] = /^(?!https?:)(?:.*\/)?([\w-]+)\.md(#.*)?$/.exec(token.attrGet('href') ?? '') ?? [];
    if (name !== '') token.attrSet('href', `${(env as Place).root}${pageOfText(name)}${name === 'README' ? '' : hash}`);
  }
});

/** Pictures are beside the pages. */
markdown.core.ruler.push('pictures', ({ tokens, env }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const [, name = ''] = /^(?:\.\.\/)?pictures\/([\w-]+\.png)$/.exec(token.attrGet('src') ?? '') ?? [];
    if (name !== '') token.attrSet('src', `${(env as Place).root}assets/${name}`);
  }
});

/** Where a page is: `root` leads from it to `/docs/`. */
type Place = { readonly root: string };

/** The address below `/docs/` of the page of a text of the repository, which README.md has for the variables alone. */
export function pageOfText(name: string): string {
  if (name === 'README') return 'configuration';
  return name === 'metrics' ? name : `guide/${name}`;
}

/** `Audit log` is `audit-log` in addresses. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

export function rendered(source: string, root: string): string {
  return markdown.render(source, { root });
}

/** The sections of a text, without its commands. */
export function sectionsOf(source: string): readonly Section[] {
  const sections: { id: string; heading: string; text: string }[] = [];
  let before: Token | undefined;
  for (const token of markdown.parse(source, { root: '' })) {
    const section = sections.at(-1);
    if (token.type === 'inline' && before?.type === 'heading_open')
      sections.push({ id: before.attrGet('id') ?? '', heading: token.content, text: '' });
    else if (token.type === 'inline' && section) section.text += `${token.content}\n`;
    before = token;
  }
  return sections;
}
