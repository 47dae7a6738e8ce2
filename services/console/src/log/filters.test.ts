import { filtersOf, includes, isPersonal, toggled } from './filters';

test('only filters are taken from the address, and words beside it win', () => {
  expect(filtersOf({ status: 'error', page: '2', search: '', view: 'flat' })).toEqual({ status: 'error' });
  expect(filtersOf({ search: 'late' }, 'ada@example.com')).toEqual({ search: 'ada@example.com' });
});

test('an e-mail address does not belong into an address bar', () => {
  expect(isPersonal('ada@example.com')).toBe(true);
  expect(isPersonal('late payment')).toBe(false);
});

test('values of a list are switched one by one', () => {
  expect(toggled(undefined, 'error')).toBe('error');
  expect(toggled('error', 'warning')).toBe('error,warning');
  expect(toggled('error,warning', 'error')).toBe('warning');
  expect(includes('error,warning', 'warn')).toBe(false);
});
