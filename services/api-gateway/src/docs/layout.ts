import { type Html, html } from '@order-automation/service';

/** Where the pages are: everything they link to begins with it. */
export type Place = { readonly basePath: string; readonly version: string };

export type Link = { readonly path: string; readonly title: string };
/** A group of the list at the side. */
export type LinkGroup = { readonly title: string; readonly links: readonly Link[] };

export type PageParts = {
  readonly title: string;
  /** Address of the page below BASE_PATH, for the list at the side. */
  readonly path: string;
  readonly side: readonly LinkGroup[];
  readonly content: Html;
};

/** A whole page. Its style and script are files of ours, and there is nothing else it loads. */
export function page({ basePath, version }: Place, { title, path, side, content }: PageParts): string {
  const { text } = html`<!doctype html>
<html lang="en" data-base="${basePath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Order automation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${basePath}/docs/assets/docs.css">
<script src="${basePath}/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<a class="name" href="${basePath}/">Order automation</a>
<a href="${basePath}/docs">Documentation</a>
<a href="${basePath}/">Console</a>
<span class="who">Version ${version}</span>
</header>
<div class="frame">
<aside aria-label="Documentation">
<div class="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" placeholder="undo, failed, a route, a variable"><ul id="found"></ul></div>
<details class="side" open><summary>Contents</summary><nav aria-label="Contents">${side.map((group) => groupOf(group, basePath, path))}</nav></details>
</aside>
<main id="content">
${content}
</main>
</div>
</body>
</html>
`;
  return text;
}

function groupOf({ title, links }: LinkGroup, basePath: string, current: string): Html {
  const items = links.map(
    ({ path, title: text }) =>
      html`<li><a href="${basePath}${path}"${path === current && html` aria-current="page"`}>${text}</a></li>`,
  );
  return html`<h2>${title}</h2><ul>${items}</ul>`;
}
