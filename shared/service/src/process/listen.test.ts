import { inheritedSocket } from './listen';

test.each([
  ['none', {}, undefined],
  ['no number', { LISTEN_FDS: '' }, undefined],
  ['none handed over', { LISTEN_FDS: '0' }, undefined],
  ['one, from the supervisor', { LISTEN_FDS: '1' }, 3],
  ['one, from systemd for this process', { LISTEN_FDS: '1', LISTEN_PID: String(process.pid) }, 3],
  ['one for another process', { LISTEN_FDS: '1', LISTEN_PID: '1' }, undefined],
])('a socket that was handed over: %s', (_, env, descriptor) => {
  expect(inheritedSocket(env)).toBe(descriptor);
});
