import { context, facts } from '../../test/fixtures';
import { sendWebhook } from './send-webhook';

const on = (overrides = {}) => ({ ...facts({ context: context(overrides) }), rule: { id: 3, name: 'Big & small' } });

test('calls the address with the event, signed by the secret that is named', () => {
  const run = sendWebhook.compile({ url: 'https://example.com/hook?key=abc', secret_ref: 'erp', event: 'order.paid' });
  expect(run(on())).toEqual({
    effect: { kind: 'webhook', url: 'https://example.com/hook?key=abc', secret_ref: 'erp', event: 'order.paid' },
    describe: { message: 'call https://example.com/hook with order.paid', changes: [] },
  });
});

test('without a secret it is not signed', () => {
  expect(sendWebhook.compile({ url: 'https://example.com/' })(on()).effect).toMatchObject({
    secret_ref: null,
    event: 'rule.matched',
  });
});

test('values cannot leave their place in the address', () => {
  const run = sendWebhook.compile({ url: 'https://example.com/orders/{{order.number}}?by={{rule.name}}' });
  expect(run(on({ number: '../../admin?x#y' })).effect).toMatchObject({
    url: 'https://example.com/orders/..%2F..%2Fadmin%3Fx%23y?by=Big%20%26%20small',
  });
});

test('the date of an order, and a name of two words, are parts of the address too', () => {
  const run = sendWebhook.compile({ url: 'https://example.com/{{order.date_created}}/{{customer.name}}' });
  expect(run(on()).effect).toMatchObject({ url: 'https://example.com/2026-01-15%2010%3A00%3A00/Ada%20Example' });
});

// WHATWG URL, 4.4: `..` and `%2e%2e` as a part of a path take the part before it away.
test.each(['.', '..'])('a customer named %s changes no path', (last_name) => {
  const run = sendWebhook.compile({ url: 'https://example.com/customers/{{customer.last_name}}/hook' });
  const { effect } = run(on({ billing: { ...context().order.billing, last_name } }));
  expect(new URL(effect.kind === 'webhook' ? effect.url : '').pathname).toMatch(/^\/customers\/[^/]+\/hook$/);
});

test.each([
  'example.com/hook',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://{{order.number}}.example.com/',
  'https://example.com{{order.number}}',
  'https://user:secret@example.com/',
  'https://example.com/{{order.secret}}',
  'https://',
])('refuses %s', (url) => {
  expect(sendWebhook.violations?.({ url })).not.toEqual([]);
});

test.each(['https://example.com', 'http://10.0.0.1:8080/a?b={{order.id}}', 'https://example.com/{{order.id}}'])(
  'takes %s',
  (url) => {
    expect(sendWebhook.violations?.({ url })).toEqual([]);
  },
);
