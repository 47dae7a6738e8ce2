import { mergedPage } from './merged-page';

const listOf = (rows: readonly number[]) => async (at: { readonly page: number; readonly per_page: number }) => ({
  rows: rows.slice((at.page - 1) * at.per_page, at.page * at.per_page),
  total: rows.length,
});
const down = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => from - at * step);
const ascending = (a: number, b: number): number => b - a;

test.each([
  [1, 20],
  [3, 7],
  [4, 200],
  [90, 7],
])('page %i of %i rows is that of one list', async (page, per_page) => {
  const lists = [down(1_000, 2, 400), down(999, 3, 200), []];
  const all = lists.flat().sort(ascending);
  const { rows, totals } = await mergedPage(lists.map(listOf), { page, per_page }, ascending);
  expect(rows).toEqual(all.slice((page - 1) * per_page, page * per_page));
  expect(totals).toEqual([400, 200, 0]);
});
