import { type Call, type Fields, problem, type Reply } from './replies';

/** With the number of all items where the shop counts them. */
export const counted = (items: readonly unknown[]): Reply => ({
  status: 200,
  body: items,
  headers: { 'X-WP-Total': String(items.length), 'X-WP-TotalPages': '1' },
});

export const includesText = (texts: readonly unknown[], search: string | null): boolean =>
  search === null ||
  texts.some((text) =>
    String(text ?? '')
      .toLowerCase()
      .includes(search.toLowerCase()),
  );

export function matching(items: readonly Fields[], query: URLSearchParams, texts: string[], exact: string[]): Fields[] {
  return items
    .filter((item) =>
      includesText(
        texts.map((name) => item[name]),
        query.get('search'),
      ),
    )
    .filter((item) => exact.every((name) => query.get(name) === null || String(item[name]) === query.get(name)));
}

export const byName = (one: Fields, other: Fields): number => String(one.name).localeCompare(String(other.name));
export const newestFirst = (one: Fields, other: Fields): number =>
  String(other.date_created).localeCompare(String(one.date_created)) || Number(one.id) - Number(other.id);

export function paged(items: readonly Fields[], query: URLSearchParams): Reply {
  const perPage = Number(query.get('per_page') ?? 10);
  const page = Number(query.get('page') ?? 1);
  const refuse = (name: string, text: string): Reply =>
    problem(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { params: { [name]: `${name} ${text}` } });
  if (!(perPage >= 1 && perPage <= 100)) return refuse('per_page', 'must be between 1 (inclusive) and 100 (inclusive)');
  if (!(page >= 1)) return refuse('page', 'must be greater than or equal to 1');
  const listed = (name: string): string[] | undefined => query.get(name)?.split(',');
  const [include, exclude] = [listed('include'), listed('exclude')];
  const wanted = items.filter(({ id }) => (!include || include.includes(String(id))) && !exclude?.includes(String(id)));
  const start = Number(query.get('offset') ?? (page - 1) * perPage);
  const shown = wanted.slice(start, start + perPage);
  // A page past the end says that there is nothing.
  const total = shown.length === 0 ? 0 : wanted.length;
  const headers = { 'X-WP-Total': String(total), 'X-WP-TotalPages': String(Math.ceil(total / perPage)) };
  return { status: 200, body: shown, headers };
}

/** The fields that `_fields` asks for, in the order that they have; those of products in the order in which they are asked for. */
export function withFields({ body, ...reply }: Reply, { path, query }: Call): Reply {
  const names = query.get('_fields')?.split(',');
  if (!names || reply.status >= 300) return { body, ...reply };
  const only = (item: unknown): Fields => {
    const shown = Object.entries(item as Fields).filter(([name]) => names.includes(name));
    if (/^wc\/v3\/products(\/\d+)?$/.test(path))
      shown.sort(([one], [other]) => names.indexOf(one) - names.indexOf(other));
    return Object.fromEntries(shown);
  };
  return { ...reply, body: Array.isArray(body) ? body.map(only) : only(body) };
}
