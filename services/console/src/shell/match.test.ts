import { matchPath, queryText, safeNext } from './match';

test.each([
  ['/', '/', {}],
  ['/log', '/log', {}],
  ['/log', '/log/', {}],
  ['/log', '/log/proc_1', undefined],
  ['/log/{process_id}', '/log/proc_1', { process_id: 'proc_1' }],
  ['/log/{process_id}', '/log/', undefined],
  ['/orders/{id}', '/orders/10%2F4', { id: '10/4' }],
  ['/orders/{id}', '/orders/%zz', { id: '%zz' }],
  ['/orders/{id}', '/rules/1', undefined],
])('%s of %s', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});

test('a query leaves out what is empty', () => {
  expect(queryText({ status: 'error', search: '', page: '2' })).toBe('?status=error&page=2');
  expect(queryText({ status: '' })).toBe('');
});

test.each([
  ['/log?status=error', '/log?status=error'],
  ['https://elsewhere.example/', '/'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/sign-in', '/'],
  [undefined, '/'],
])('after signing in, %s leads to %s', (next, address) => {
  expect(safeNext(next)).toBe(address);
});
