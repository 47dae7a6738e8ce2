export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that fits `/log/{process_id}`; undefined where it does not fit. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const found = new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`).exec(path);
  const params = Object.entries(found?.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
  return found ? Object.fromEntries(params) : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export type Query = Readonly<Record<string, string>>;

/** A query without what is empty, in the order given: `?status=error&page=2`, or nothing. */
export function queryText(query: Query): string {
  const kept = Object.entries(query).filter(([, value]) => value !== '');
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}

/** Where to go after signing in: an address of this console, whatever the query says. */
export const safeNext = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/';
