import { matchesSearch } from './rule-search';

const rule = { _id: 12, name: 'Große Orders (50%) .*' };

test.each(['grosse', 'O.ders', '^Gr', '.+', '1', '(.)', '%%', '_'])(
  '%s does not match: it is text, not a pattern',
  (search) => {
    expect(matchesSearch(rule, search)).toBe(false);
  },
);

test.each(['große', 'ORDERS', '.*', '(50%)', ' orders ', '12'])('%s matches', (search) => {
  expect(matchesSearch(rule, search)).toBe(true);
});
