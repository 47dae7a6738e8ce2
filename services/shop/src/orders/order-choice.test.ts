import type { Order, OrderReference } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { lookupCases, lookupOrders, shopAddress } from '../../test/order-lookup-cases';
import { chooseOrder, orderIndex } from './order-choice';
import { otherSite, siteOf, sitesOf } from './shop-address';

const none: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };
const orders: Order[] = lookupOrders.map((order) => buildOrder({ transaction_id: '', meta_data: [], ...order }));

test.each(lookupCases)('$name', ({ reference, found, rejected }) => {
  const choice = chooseOrder({ ...none, ...reference }, orderIndex(orders), [siteOf(shopAddress) ?? '']);
  const { match, rejection } = choice;
  expect([match?.order_id ?? null, rejection && [rejection.kind, rejection.orders.map(({ id }) => id)]]).toEqual([
    found ?? null,
    rejected,
  ]);
  if (rejection) expect(rejection.because).toMatch(/^[A-Z].+\.$/);
});

test('a choice says how the order was found', () => {
  const by = (reference: Partial<OrderReference>) =>
    chooseOrder({ ...none, ...reference }, orderIndex(orders), []).match?.by;
  expect(by({ transaction_id: 'ch_7' })).toBe('transaction_id');
  expect(by({ order_id: '1105' })).toBe('order_id');
  expect(by({ gateway_ids: ['pi_7'] })).toBe('gateway_id');
});

test.each<[string, string | null]>([
  ['https://shop.example', 'shop.example'],
  ['http://www.Shop.example:8443/De/?x=1', 'shop.example/de'],
  ['shop.example./', 'shop.example'],
  // php.net/manual/en/json.constants.php (JSON_UNESCAPED_SLASHES: without it slashes are escaped)
  [String.raw`https:\/\/shop.example\/de`, 'shop.example/de'],
  ['https://münchen.example', 'xn--mnchen-3ya.example'],
  ['http://127.0.0.1:8080/wordpress', '127.0.0.1/wordpress'],
  ['', null],
  ['not an address', null],
])('the site at %j is %j', (address, site) => {
  expect(siteOf(address)).toBe(site);
});

test('nothing is of another shop where the address of this one is not known, or that of the event cannot be read', () => {
  expect(otherSite('https://other.example', [])).toBeNull();
  expect(otherSite('??', ['shop.example'])).toBeNull();
  expect(otherSite(undefined, ['shop.example'])).toBeNull();
  expect(otherSite('https://staging.shop.example', ['shop.example'])).toContain('staging.shop.example');
});

// developer.wordpress.org/advanced-administration/multisite/create-network: sites of a network may be folders of one host.
// developer.wordpress.org/advanced-administration/server/wordpress-in-directory: WordPress may stand in a folder of the site it serves.
test.each([
  ['the folder beside it', 'https://shops.example/north', 'https://shops.example/south', true],
  ['the same folder', 'https://shops.example/north', 'https://www.shops.example/north/', false],
  ['a folder whose name begins alike', 'https://shops.example/north', 'https://shops.example/northern', true],
  ['WordPress in a folder of the site', 'https://shop.example', 'https://shop.example/wp', false],
  ['the site of WordPress in a folder', 'https://shop.example/wp', 'https://shop.example', false],
])('%s', (_name, shop, site_url, isOther) => {
  expect(otherSite(site_url, sitesOf(undefined, shop)) !== null).toBe(isOther);
});
