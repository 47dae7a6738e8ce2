import { spansOf } from './cells';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const entriesAt = (...minutes: number[]) =>
  minutes.map((minute) => ({ timestamp: at(minute), facet: 'f', rule_id: 1 }));
const spans = (...minutes: number[]) =>
  spansOf(entriesAt(...minutes)).map(({ first_at, last_at, cells }) => [
    first_at,
    last_at,
    cells.reduce((sum, { count }) => sum + count, 0),
  ]);

test('times that lie apart are spans, in whichever order they were recorded', () =>
  expect(spans(100, 1, 101, 2, 102, 50, 103)).toEqual([
    [at(1), at(2), 2],
    [at(50), at(50), 1],
    [at(100), at(103), 4],
  ]));

test.each([[[]], [[1]], [[1, 1, 1]], [Array.from({ length: 40 }, (_, minute) => minute)]])('%j is one', (minutes) =>
  expect(spans(...minutes)).toEqual([]),
);

test('there are four at most, divided at the widest gaps', () =>
  expect(spans(0, 10, 25, 45, 70, 100).map(([first]) => first)).toEqual([at(0), at(45), at(70), at(100)]));
