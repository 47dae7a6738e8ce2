import { parseSubnet, publicAddresses } from './outbound-addresses';

const allowed = publicAddresses();

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '2606:2800:220:1:248:1893:25c8:1946',
  '2a00:1450::1',
])('%s is public', (address) => expect(allowed(address)).toBe(true));

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  'localhost',
  '',
])('%s is not', (address) => expect(allowed(address)).toBe(false));

test('what is allowed is allowed, and nothing beside it', () => {
  const some = publicAddresses(['127.0.0.1', '10.1.0.0/16', 'fd00::/8']);
  expect(['127.0.0.1', '10.1.255.1', 'fd12::1', '8.8.8.8'].every(some)).toBe(true);
  expect(['127.0.0.2', '10.2.0.1', 'fe80::1'].some(some)).toBe(false);
});

test.each(['10.0.0.0/33', '10.0.0', 'fd00::/129', 'x', '', '10.0.0.0/-1', '10.0.0.0/8/8'])(
  '%p is not a subnet',
  (text) => {
    expect(parseSubnet(text)).toBeUndefined();
    expect(() => publicAddresses([text])).toThrow(TypeError);
  },
);
