import { parsedUrl } from './url';

test('an address is read, and what is none is not', () => {
  expect(parsedUrl('https://shop.example/de/')?.host).toBe('shop.example');
  expect(parsedUrl('shop.example')).toBeUndefined();
});

test('an address with letters beyond ASCII is one however often it is read', () => {
  const addresses = ['https://shop.example', 'https://münchen.example'];
  const hosts = new Set(Array.from({ length: 50_000 }, (_, at) => parsedUrl(addresses[at % 2] ?? '')?.hostname));
  expect([...hosts]).toEqual(['shop.example', 'xn--mnchen-3ya.example']);
});
