import { event } from '../../../../shared/engine/test/fixtures';
import { inMoneyOfOrder } from './order-money';

const kwd = { total: '5.124', currency: 'KWD' };

/*
 * "These API calls require the least-significant (last) digit to be 0. … 5.124 KWD must be rounded to 5120 or 5130", https://docs.stripe.com/currencies,
 * "Three-decimal currencies"; the shop's plugin rounds down (`$amount - ( $amount % 10 )`, WC_Stripe_Helper::get_stripe_amount).
 */
test.each([
  ['rounded down', '5.120', 'KWD', 'gateway_card', kwd, '5.124'],
  ['rounded up', '5.130', 'kwd', 'gateway_card', kwd, '5.124'],
  ['not rounded', '5.124', 'KWD', 'gateway_card', kwd, '5.124'],
  ['more than a rounding apart', '5.110', 'KWD', 'gateway_card', kwd, '5.110'],
  ['a rounding of more than a hundredth', '5.140', 'KWD', 'gateway_card', kwd, '5.140'],
  ['close, and no rounding', '5.125', 'KWD', 'gateway_card', kwd, '5.125'],
  ['a part', '2.560', 'KWD', 'gateway_card', kwd, '2.560'],
  ['another sender', '5.120', 'KWD', 'gateway_wallet', kwd, '5.120'],
  ['another currency', '5.120', 'BHD', 'gateway_card', kwd, '5.120'],
  // The currency of a customer in a shop of two decimals: wc_format_decimal($value, wc_get_price_decimals()) in WC_Abstract_Order::set_total().
  ['a shop of two decimals', '17.375', 'KWD', 'generic', { total: '17.38', currency: 'KWD' }, '17.380'],
  ['too little for a shop of two decimals', '17.370', 'KWD', 'generic', { total: '17.38', currency: 'KWD' }, '17.370'],
  ['a shop of three decimals', '17.375', 'KWD', 'generic', { total: '17.380', currency: 'KWD' }, '17.375'],
  ['a currency of two decimals', '5.12', 'EUR', 'gateway_card', { total: '5.124', currency: 'EUR' }, '5.124'],
  ['no amount', null, 'KWD', 'gateway_card', kwd, null],
  // "This currency does not support decimals", https://developer.paypal.com/api/rest/reference/currency-codes/
  ['forint without decimals', '4901.00', 'HUF', 'gateway_wallet', { total: '4900.50', currency: 'HUF' }, '4900.50'],
  ['dollars of Taiwan', '490.00', 'TWD', 'gateway_wallet', { total: '490.40', currency: 'TWD' }, '490.40'],
  ['a forint too little', '4899.00', 'HUF', 'gateway_wallet', { total: '4900.00', currency: 'HUF' }, '4899.00'],
  // absint() of get_stripe_amount(), https://github.com/woocommerce/woocommerce-gateway-stripe/blob/develop/includes/class-wc-stripe-helper.php
  ['cut by a plugin', '49.00', 'USD', 'gateway_card', { total: '49.005', currency: 'USD' }, '49.005'],
  ['rounded by a plugin', '49.01', 'USD', 'gateway_wallet', { total: '49.005', currency: 'USD' }, '49.005'],
  ['a yen that a plugin has cut', '49', 'JPY', 'gateway_card', { total: '49.50', currency: 'JPY' }, '49.50'],
  ['a cent too little', '48.99', 'USD', 'gateway_card', { total: '49.00', currency: 'USD' }, '48.99'],
  ['a yen too little', '48', 'JPY', 'gateway_card', { total: '49.50', currency: 'JPY' }, '48'],
  ['forint by card', '4901.00', 'HUF', 'gateway_card', { total: '4900.50', currency: 'HUF' }, '4901.00'],
])('decimals that the gateway does not take: %s', (_what, amount, currency, sourceGateway, order, expected) => {
  expect(inMoneyOfOrder(event({ amount, currency, sourceGateway }), order).amount).toBe(expected);
});

test('minor units of a currency outside ISO 4217 have the decimals of the order', () => {
  const received = event({ amount: '49.00', currency: 'IRT', minorUnits: '4900' });
  expect(inMoneyOfOrder(received, { total: '4900', currency: 'IRT' }).amount).toBe('4900');
});
