import { addressed, openLink } from './nats-link';

test.each([
  ['nats://user:pa:ss@host:4222', { user: 'user', pass: 'pa:ss' }],
  ['nats://user:p@ss@host:4222', { user: 'user', pass: 'p@ss' }],
  ['nats://user:a/b@host:4222', { user: 'user', pass: 'a/b' }],
  ['nats://user:100%@host:4222', { user: 'user', pass: '100%' }],
  ['nats://us%40er:p%3Ass@host:4222', { user: 'us@er', pass: 'p:ss' }],
  ['nats://user:@host:4222', { user: 'user', pass: '' }],
  ['nats://to%ken@host:4222', { token: 'to%ken' }],
  ['host:4222', {}],
])('%s', (address, credentials) => {
  expect(addressed([address])).toEqual({ servers: ['host:4222'], ...credentials });
});

test('a server that does not answer is named by the error alone: who tries again logs it, one line a try', async () => {
  const warn = jest.fn();
  const log = { info: jest.fn(), warn, error: jest.fn() };
  const opening = openLink({ servers: 'nats://127.0.0.1:1', name: 'test', log });
  await expect(opening).rejects.toThrow('NATS does not answer at 127.0.0.1:1: CONNECTION_REFUSED');
  expect(warn).not.toHaveBeenCalled();
});
