import { type Html, html } from './html';

/** Where the pages are: everything they link to begins with it. */
export type Place = { readonly basePath: string; readonly version: string };

/** A whole page. Its style and script are files of ours, and there is nothing else it loads. */
export function page({ basePath, version }: Place, title: string, content: Html): string {
  const { text } = html`<!doctype html>
<html lang="en" data-base="${basePath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${basePath}/docs/assets/docs.css">
<script src="${basePath}/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site"><nav aria-label="Pages">
<a class="name" href="${basePath}/">Order automation</a>
<a href="${basePath}/docs">Interface</a>
<a href="${basePath}/docs#guides">Guides</a>
<span>Version ${version}</span>
</nav></header>
<main id="content">
${content}
</main>
</body>
</html>
`;
  return text;
}
