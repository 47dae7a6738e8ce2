import { type Call, readAnswer, type ShopFailure } from './answers';

const read: Call = { method: 'GET', path: 'wc/v3/orders', query: {} };
const refund: Call = { method: 'POST', path: 'wc/v3/orders/1/refunds', query: {}, body: {} };
const answer = (text: string, status = 200, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(text),
});

test.each([
  '\uFEFF[{"id":1}]',
  '\uFEFF\uFEFF[{"id":1}]',
  '<br />\n<b>Notice</b>: Undefined index: x in [a.php] on line <b>3</b><br />\n[{"id":1}]',
  '\n\n\uFEFF[{"id":1}]',
])('what stands before the JSON is skipped: %j', (text) => {
  expect(readAnswer(answer(text), read)).toMatchObject({ json: [{ id: 1 }], total: null });
});

/**
 * https://github.com/Automattic/wp-super-cache/issues/261, https://github.com/WP-API/WP-API/issues/969 (a comment of a cache behind the JSON); PHP prints what is
 * deprecated when a request ends.
 */
test.each([
  '[{"id":1}]\n<!-- Cached by a plugin. [x] {y} -->',
  '[{"id":1,"note":"[x]<b>y</b> {z} <i>"}]\n<!-- {} <!-- [] -->',
  '[{"id":1}]<br />\n<b>Deprecated</b>: x {y} in [a.php] on line <b>3</b><br />\n',
  '[{"id":1,"note":"a \\"]\\" b"}]\nDeprecated: x() is deprecated in [0] /srv/x.php on line 3\n',
  '<br />\n<b>Warning</b>: x [0] {} in <b>/x.php</b> on line <b>1</b><br />\n[{"id":1}]\n<!-- [x] {y} -->',
  '[{"id":1}]0',
])('what stands behind the JSON is skipped: %j', (text) => {
  expect(readAnswer(answer(text), read)).toMatchObject({ json: [{ id: 1 }] });
});

test.each(['[{"id":1},{"id":2}', '{"list":[1,2]', '[{"html":"}<b>', '[{"id":1},{"html":"]<b>x</b>', '[][{"id":1}]'])(
  'an answer that was cut off is none: %s',
  (text) => {
    expect(() => readAnswer(answer(text), read)).toThrow('not JSON');
  },
);

/** `0` and `-1` are what WordPress answers where nobody handles a request (https://developer.wordpress.org/plugins/javascript/ajax/). */
test.each(['0', '-1', 'null', 'false', ''])('%j is neither a list nor an object', (text) => {
  expect(() => readAnswer(answer(text), read)).toThrow('not JSON');
});

test.each([
  [answer('<html><title>Just a moment...</title>'), 'a page with the title "Just a moment..."'],
  [answer('<title>Just a moment...</title>', 503), 'answered 503, but a page with the title "Just a moment..."'],
  [answer('<title>Attention\nRequired</title>', 403), 'a page with the title "Attention Required"'],
  [
    answer('', 301, { location: 'https://www.shop.example/wp-json/?a=secret' }),
    'to https://www.shop.example/wp-json/:',
  ],
  [answer('', 302, { location: 'https://shop.example/wp-login.php' }), 'a sign-in page'],
  [answer('', 302, { location: 'https://shop.example/my-account/' }), 'a sign-in page'],
  [answer('', 301, { location: 'https://authentic-books.example/wp-json/wc/v3/orders' }), 'by the address that it'],
  [answer('', 301, { location: 'https://www.author.example/' }), 'by the address that it'],
])('what stands in front of the shop is named: %#', (given, text) => {
  expect(() => readAnswer(given, read)).toThrow(text);
});

test('a refused signature: the text names the address that WordPress has as a cause', () => {
  const refused =
    '{"code":"woocommerce_rest_authentication_error","message":"Invalid signature - provided signature does not match."}';
  expect(() => readAnswer(answer(refused, 401), read)).toThrow('is not the one that WordPress has');
  expect(() => readAnswer(answer('{"code":"woocommerce_rest_cannot_view"}', 401), read)).toThrow(
    /\(401 woocommerce_rest_cannot_view\)\.$/,
  );
});

/**
 * Disable WP REST API (https://wordpress.org/plugins/disable-wp-rest-api/) answers 401 `rest_login_required`, Disable REST API
 * (https://wordpress.org/plugins/disable-json-api/) 401 `rest_cannot_access`: WooCommerce has not looked at the key.
 */
test.each(['rest_login_required', 'rest_cannot_access', 'rest_disabled'])('%s is the refusal of a plugin', (code) => {
  const refused = JSON.stringify({ code, message: 'Only for those who are signed in.' });
  expect(() => readAnswer(answer(refused, 401), read)).toThrow(
    `A plugin of the shop refuses the request (401 ${code}: Only for those who are signed in.)`,
  );
});

/** A WP_Error of a plugin has no status and becomes a 500 (WP_REST_Server::error_to_response); what the database or the network lacks may pass. */
test.each([
  ['woocommerce_api_cannot_create_order_note', { status: 500 }, 'WooCommerce refused'],
  ['order_locked', null, 'WooCommerce refused'],
  ['order_locked', { status: 500 }, 'WooCommerce answered 500.'],
  ['db_update_error', null, 'WooCommerce answered 500.'],
  ['http_request_failed', null, 'WooCommerce answered 500.'],
])('a write that is answered with 500 %s %j', (code, data, text) => {
  const body = JSON.stringify({ code, message: 'No.', data });
  expect(() => readAnswer(answer(body, 500), refund)).toThrow(text);
  expect(() => readAnswer(answer(body, 500), read)).toThrow('WooCommerce answered 500.');
});

test('a refused time of a signed request: the text names the clocks', () => {
  const refused =
    '{"code":"woocommerce_rest_authentication_error","message":"Invalid timestamp.","data":{"status":401}}';
  for (const status of [401, 200])
    expect(() => readAnswer(answer(refused, status), read)).toThrow('Its clock and that');
});

test('a 503 that asks to wait has not been seen by the shop, but for a write', () => {
  const unsentOf = (status: number, call: Call) => {
    try {
      return readAnswer(answer('', status, { 'retry-after': '1' }), call);
    } catch (error) {
      return (error as ShopFailure).facts.unsent;
    }
  };
  expect([unsentOf(503, read), unsentOf(503, refund), unsentOf(429, refund)]).toEqual([true, false, true]);
});

test('markup is left out of what a plugin answers', () => {
  const refused = '{"code":"woocommerce_rest_refund_refused","message":"Locked <i>today</i> &amp; tomorrow."}';
  expect(() => readAnswer(answer(refused, 500), refund)).toThrow('Locked today & tomorrow.');
});

/** https://developer.wordpress.org/reference/classes/wp_rest_request/has_valid_params/: `params` has the reason of each. */
test('a parameter that WordPress refuses comes with its reason', () => {
  const params = { status: 'status is not one of pending, processing.', billing: 'Invalid email &amp; name.' };
  const problem = { code: 'rest_invalid_param', message: 'Invalid parameter(s): status, billing', data: { params } };
  const refuse = (fields: object) => () => readAnswer(answer(JSON.stringify({ ...problem, ...fields }), 400), refund);
  expect(refuse({})).toThrow(/: status is not one of pending, processing\. billing: Invalid email & name\.$/);
  for (const data of [null, { params: {} }, { params: ['note'] }])
    expect(refuse({ data })).toThrow(/: Invalid parameter\(s\): status, billing$/);
});

test('a refused refund is a refusal with the reason, a critical error is a failure', () => {
  const refused = '{"code":"woocommerce_rest_cannot_create_order_refund","message":"Too much.","data":500}';
  expect(() => readAnswer(answer(refused, 500), refund)).toThrow('Too much.');
  expect(() => readAnswer(answer('{"code":"internal_server_error"}', 500), refund)).toThrow(
    'WooCommerce answered 500.',
  );
});

/**
 * ModSecurity answers 403 or 406 (https://docs.wpsimplepay.com/articles/406-403-not-acceptable-modsecurity/), Cloudflare's challenge is a 403
 * (https://zunaidamin.com/blog/cloudflare-blocking-legitimate-api-requests): WooCommerce has not seen the key.
 */
test('a page that refuses a request with a body may be about this body alone; a refusal of WooCommerce is about the key', () => {
  const failureOf = (text: string, call: Call, status = 403) => {
    try {
      return readAnswer(answer(text, status), call);
    } catch (error) {
      return error;
    }
  };
  const page = '<title>Blocked</title>';
  for (const status of [403, 404, 405, 406, 413, 501]) {
    expect(failureOf(page, refund, status)).toMatchObject({ facts: { kind: 'refused', isDoubtful: true, status } });
    expect(failureOf(page, read, status)).toMatchObject({ facts: { kind: 'refused', isDoubtful: false } });
  }
  for (const status of [401, 403])
    expect(failureOf(page, read, status)).toMatchObject({ facts: { outcome: 'unusable' } });
  const theirs = '{"code":"woocommerce_rest_cannot_edit","message":"Sorry."}';
  for (const [text, call] of [
    [page, read],
    [theirs, refund],
  ] as const) {
    expect(failureOf(text, call)).toMatchObject({ facts: { kind: 'refused', status: 403 } });
    expect(failureOf(text, call)).not.toMatchObject({ facts: { isDoubtful: true } });
  }
});
