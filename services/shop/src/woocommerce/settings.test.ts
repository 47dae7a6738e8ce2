import { ConfigError, parseConfig } from '@order-automation/service';
import { shopConfiguration } from '../config';
import { wooCommerceSettings } from './settings';

const complete = {
  SHOP_CONNECTOR: 'woocommerce',
  WOOCOMMERCE_URL: 'https://shop.example/store/',
  WOOCOMMERCE_KEY: 'ck_0123456789',
  WOOCOMMERCE_SECRET: 'cs_0123456789',
};
const settings = (env: Record<string, string>) => wooCommerceSettings(parseConfig(shopConfiguration, env));

test('the address of the shop, its subfolder included', () => {
  expect(settings(complete).address).toBe('https://shop.example/store');
});

test.each([
  'wp-json/wc/v3',
  'wp-admin/',
  'wp-admin/admin.php',
  'wp-admin/admin.php?page=wc-settings&tab=advanced',
  'wp-login.php?redirect_to=x',
])('the address %s of the administration leads to the shop', (path) => {
  const address = `https://shop.example/store/${path}`;
  expect(settings({ ...complete, WOOCOMMERCE_URL: address }).address).toBe('https://shop.example/store');
});

test('every variable that is missing is named at once', () => {
  try {
    settings({ SHOP_CONNECTOR: 'woocommerce', WOOCOMMERCE_KEY: 'ck_0123456789' });
    throw new Error('not refused');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems.map(({ variable }) => variable)).toEqual([
      'WOOCOMMERCE_URL',
      'WOOCOMMERCE_SECRET',
    ]);
  }
});

test.each([
  ['https://ck_1:cs_2@shop.example', 'must not hold a user or a password'],
  ['https://shop.example/?lang=de', 'must end with the path'],
  ['http://shop.internal', 'OUTBOUND_ALLOW=shop.internal'],
])('%s is refused: %s', (url, problem) => {
  expect(() => settings({ ...complete, WOOCOMMERCE_URL: url })).toThrow(problem);
});

test.each(['shop.internal', '10.1.0.0/16, shop.internal'])('plain http is for OUTBOUND_ALLOW=%s', (OUTBOUND_ALLOW) => {
  expect(settings({ ...complete, OUTBOUND_ALLOW, WOOCOMMERCE_URL: 'http://shop.internal:8080' }).address).toBe(
    'http://shop.internal:8080',
  );
});

test.each(['https://shop.example/shop/wp-json', 'https://shop.example/shop/wp-json/wc/v3/'])(
  '%s is the shop',
  (url) => {
    expect(settings({ ...complete, WOOCOMMERCE_URL: url }).address).toBe('https://shop.example/shop');
  },
);

test('what is printed of the settings has neither key nor secret', () => {
  expect(JSON.stringify(settings(complete))).not.toMatch(/ck_0|cs_0/);
});
