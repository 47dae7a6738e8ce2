export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that fits `/log/{process_id}`; undefined where it does not fit. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = decoded(given[index] ?? '');
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
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
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/';
}
