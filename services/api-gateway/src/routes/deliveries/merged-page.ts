type Page = { readonly page: number; readonly per_page: number };
type Source<Found> = (page: Page) => Promise<Found>;
type Listed<Row> = { readonly rows: readonly Row[]; readonly total: number };

/** Rows that one question to a source may return. */
const atOnce = 200;

/** One page of several lists, each in the same order, as if they were one. `first` are the first answers of the sources. */
export async function mergedPage<Row, Found extends Listed<Row>>(
  sources: readonly Source<Found>[],
  { page, per_page }: Page,
  compare: (a: Row, b: Row) => number,
): Promise<{ readonly rows: Row[]; readonly totals: readonly number[]; readonly first: readonly Found[] }> {
  const end = page * per_page;
  const heads = await Promise.all(sources.map((source) => head<Row, Found>(source, end)));
  const merged = heads.flatMap(({ rows }) => rows).sort(compare);
  return {
    rows: merged.slice(end - per_page, end),
    totals: heads.map(({ first }) => first.total),
    first: heads.map(({ first }) => first),
  };
}

async function head<Row, Found extends Listed<Row>>(source: Source<Found>, end: number) {
  const per_page = Math.min(end, atOnce);
  const first = await source({ page: 1, per_page });
  const rows: Row[] = [...first.rows];
  for (let page = 2; rows.length < Math.min(end, first.total); page += 1) {
    const next = await source({ page, per_page });
    if (next.rows.length === 0) break;
    rows.push(...next.rows);
  }
  return { first, rows: rows.slice(0, end) };
}
