import { firstWay, nextWay, targetOf } from './ways';

const address = 'https://shop.example/shop';

test('with plain permalinks the route is a parameter', () => {
  const way = nextWay(firstWay({ address }), 'unusable', 404);
  expect(way && targetOf(address, 'wc/v3/orders', { page: 2 }, way).href).toBe(
    'https://shop.example/shop/?rest_route=%2Fwc%2Fv3%2Forders&page=2',
  );
});

test('a key that is refused in the header is used to sign, once', () => {
  const signed = nextWay(firstWay({ address }), 'unauthorized', 401);
  expect(signed).toEqual({ isPlain: false, isSigned: true });
  expect(signed && nextWay(signed, 'unauthorized', 401)).toBeNull();
});
