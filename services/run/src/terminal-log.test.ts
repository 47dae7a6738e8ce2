import { errorLine } from './terminal-log';

test('an error is one line, with its code', () => {
  expect(errorLine(Object.assign(new Error('no answer\n  in 3 s'), { code: 'timeout' }))).toBe('no answer (timeout)');
  expect(errorLine({ message: 'as a copy' })).toBe('as a copy');
  expect(errorLine('text')).toBe('text');
});
