import fc from 'fast-check';
import { paginate } from './audit-entry';

test.each([
  [41, 2, 20, { total_pages: 3, start_item: 21, end_item: 40, has_previous: true, has_next: true }],
  [41, 3, 20, { total_pages: 3, start_item: 41, end_item: 41, has_previous: true, has_next: false }],
  [0, 1, 20, { total_pages: 0, start_item: 0, end_item: 0, has_previous: false, has_next: false }],
  [5, 9, 20, { total_pages: 1, start_item: 0, end_item: 0, has_previous: true, has_next: false }],
  [20, 1, 20, { total_pages: 1, start_item: 1, end_item: 20, has_previous: false, has_next: false }],
])('%i items, page %i of %i', (total, page, perPage, expected) => {
  expect(paginate(total, page, perPage)).toEqual({ total, current_page: page, per_page: perPage, ...expected });
});

test('walking by has_next shows every item exactly once', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.integer({ min: 1, max: 200 }), (total, perPage) => {
      let next = 1;
      for (let page = 1; ; page += 1) {
        const { start_item, end_item, has_next } = paginate(total, page, perPage);
        if (start_item > 0) {
          expect(start_item).toBe(next);
          next = end_item + 1;
        }
        if (!has_next) break;
      }
      expect(next).toBe(total + 1);
    }),
  );
});
