import { secret } from '@order-automation/service';
import { wooCommerceSettings } from './settings';
import { firstWay, nextWay, signedCall, targetOf } from './ways';

const address = 'https://shop.example/shop';
const first = firstWay({ address });
const page = { outcome: 'unusable', isDoubtful: true };
const orders = { method: 'GET', path: 'wc/v3/orders', query: { page: 2 } } as const;

test('with plain permalinks the route is a parameter', () => {
  const way = nextWay(first, 'GET', { outcome: 'unusable', status: 404 }, false);
  expect(way && targetOf(address, orders, way).href).toBe(
    'https://shop.example/shop/index.php?rest_route=%2Fwc%2Fv3%2Forders&via=wp-json%2Fwc%2F&page=2',
  );
});

/** is_request_to_rest_api() of class-wc-rest-authentication.php: https://github.com/woocommerce/woocommerce/issues/41191 */
test.each([null, 'https'] as const)(
  'with plain permalinks the address has the path that WooCommerce looks for, as it is (signed: %s)',
  (signed) => {
    const way = { ...first, isPlain: true, signed };
    const outboundAllow = { hosts: [], subnets: [] };
    const keys = { woocommerceKey: secret('ck_1'), woocommerceSecret: secret('cs_1') };
    const settings = wooCommerceSettings({ woocommerceUrl: address, outboundAllow, ...keys });
    const { url } = signedCall('GET', orders.path, targetOf(address, orders, way), way, { settings, now: 0 });
    expect(url).toContain('&via=wp-json/wc/&');
  },
);

test('a key that is refused in the header is used to sign, once for each scheme, and by a shop that has not answered yet', () => {
  const refused = { outcome: 'unauthorized', status: 401 };
  const signed = nextWay(first, 'GET', refused, false);
  expect(signed).toEqual({ ...first, signed: 'https' });
  // WordPress does not see https that ends at a proxy: developer.wordpress.org/reference/functions/is_ssl/ ("behind a load balancer")
  const forHttp = signed && nextWay(signed, 'GET', refused, false);
  expect(forHttp).toEqual({ ...first, signed: 'http' });
  expect(forHttp && nextWay(forHttp, 'GET', refused, false)).toBeNull();
  expect(nextWay(first, 'GET', refused, true)).toBeNull();
});

/**
 * Servers answer PUT and DELETE with 405 (https://github.com/woocommerce/woocommerce-android/issues/9674,
 * https://github.com/woocommerce/wc-api-php/issues/349) or 501 (https://github.com/woocommerce/woocommerce/issues/9838); a POST with `_method` works
 * (https://github.com/woocommerce/wc-api-php/issues/292).
 */
test.each(['PUT', 'DELETE'] as const)('a %s that a page refuses is sent as POST, once', (method) => {
  const posted = nextWay(first, method, page, true);
  expect(posted).toEqual({ ...first, isPosted: true });
  const call = { method, path: 'wc/v3/orders/17', query: {} };
  expect(posted && targetOf(address, call, posted).search).toBe(`?_method=${method}`);
  expect(posted && targetOf(address, orders, posted).search).toBe('?page=2');
  expect(posted && nextWay(posted, method, page, true)).toBeNull();
  expect(nextWay(first, 'POST', page, true)).toBeNull();
});
