import { filtersOf, isPersonal } from './filters';

test('only filters are taken from the address, and words beside it win', () => {
  expect(filtersOf({ status: 'error', page: '2', search: '', view: 'flat' })).toEqual({ status: 'error' });
  expect(filtersOf({ search: 'late' }, 'ada@example.com')).toEqual({ search: 'ada@example.com' });
});

test('an e-mail address does not belong into an address bar', () => {
  expect(isPersonal('ada@example.com')).toBe(true);
  expect(isPersonal('late payment')).toBe(false);
});
