import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientOf, isLoopback } from './client-address';

function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const req = new IncomingMessage(socket);
  Object.assign(req.headers, headers);
  return req;
}

const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9', 'x-forwarded-proto': 'https' };

describe('clientOf', () => {
  test('without a trusted proxy forwarded headers count for nothing', () => {
    expect(clientOf(request('203.0.113.5', forwarded), 0)).toEqual({
      address: '203.0.113.5',
      https: false,
      confidential: false,
    });
  });

  test('with one proxy the last address and protocol count', () => {
    expect(clientOf(request('10.0.0.1', forwarded), 1)).toEqual({
      address: '203.0.113.9',
      https: true,
      confidential: true,
    });
  });

  test('with two proxies the one before', () => {
    expect(clientOf(request('10.0.0.1', forwarded), 2).address).toBe('198.51.100.7');
  });

  test('a forged list does not help: only what the proxy added counts', () => {
    const forged = { 'x-forwarded-for': '127.0.0.1, 203.0.113.9', 'x-forwarded-proto': 'https, http' };
    expect(clientOf(request('10.0.0.1', forged), 1)).toEqual({
      address: '203.0.113.9',
      https: false,
      confidential: false,
    });
  });

  test.each(['unknown', '127.0.0.1.evil', '_hidden', '127.0.0.1, nonsense', ',,x'])(
    'behind a proxy on this machine the unreadable address %p is not this machine',
    (header) => {
      const read = (proto: Record<string, string>) =>
        clientOf(request('127.0.0.1', { 'x-forwarded-for': header, ...proto }), 1);
      expect(read({})).toEqual({ address: '127.0.0.1', https: false, confidential: false });
      expect(read({ 'x-forwarded-proto': 'http' }).confidential).toBe(false);
      expect(read({ 'x-forwarded-proto': 'https' }).confidential).toBe(true);
    },
  );

  test('a proxy that names the protocol and no address hides a client elsewhere; without either the request is from here', () => {
    expect(clientOf(request('127.0.0.1', { 'x-forwarded-proto': 'http' }), 1).confidential).toBe(false);
    expect(clientOf(request('127.0.0.1'), 1).confidential).toBe(true);
  });

  test.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:DB8::1]:4711', '2001:db8::1'],
    ['[::ffff:203.0.113.9]', '203.0.113.9'],
  ])('the port of %s is not part of the address', (header, address) => {
    expect(clientOf(request('10.0.0.1', { 'x-forwarded-for': header }), 1).address).toBe(address);
  });

  test('loopback is confidential over plain HTTP, in either family', () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(clientOf(request(address), 0)).toMatchObject({ confidential: true, https: false });
    }
    expect(isLoopback('127.0.0.1.evil.example')).toBe(false);
  });
});
