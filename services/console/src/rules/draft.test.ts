import { between, moved, otherProblems, problemsOf } from './draft';

test('an item changes its place', () => {
  expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  expect(moved(['a', 'b'], 0, 2)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});

test('only what lies between both places is sent', () => {
  expect(between([1, 2, 3, 4, 5], 3, 1)).toEqual([4, 2, 3]);
  expect(between([1, 2, 3, 4, 5], 0, 1)).toEqual([2, 1]);
});

test('violations stand beside the field they name', () => {
  const violations = [
    { path: 'rule.conditions.1.settings.countries.0', message: 'must match' },
    { path: 'rule.conditions.1.settings.amount', message: 'must be at least 0' },
    { path: 'rule.conditions.10.settings.amount', message: 'of another' },
    { path: 'rule.trigger', message: 'is required' },
    { path: 'name', message: 'is too long' },
    { path: 'rule', message: 'is too large' },
  ];
  expect(problemsOf(violations, 'conditions.1')).toEqual({ countries: 'must match', amount: 'must be at least 0' });
  expect(problemsOf(violations, 'trigger')).toEqual({ '': 'is required' });
  expect(otherProblems(violations)).toEqual([{ path: 'rule', message: 'is too large' }]);
});
