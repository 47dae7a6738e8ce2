import type { Route, Tag } from '../http/route';

/** What one page of the documentation is about: the routes with one tag. */
export type Subject = { readonly slug: string; readonly tag: Tag; readonly rows: readonly Route[] };

/** `Audit log` is `audit-log` in addresses. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** In the order in which the table begins with them. Pages of the console are no interface. */
export function subjectsOf(table: readonly Route[]): readonly Subject[] {
  const tags = [...new Set(table.map(({ tag }) => tag))].filter((tag) => tag !== 'Console');
  return tags.map((tag) => ({ slug: slugOf(tag), tag, rows: table.filter((row) => row.tag === tag) }));
}
