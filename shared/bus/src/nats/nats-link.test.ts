import { addressed } from './nats-link';

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
