import { context, facts } from '../../test/fixtures';
import { sendEmail } from './send-email';

const settings = {
  to: '{{customer.email}}, shop@example.com',
  subject: 'Order {{order.number}}',
  body: 'Total {{order.total}}',
};
const on = (billing = {}) => ({
  ...facts({ context: context({ billing: { first_name: 'Ada', email: 'ada@example.com', ...billing } }) }),
  rule: { id: 3, name: 'Big orders' },
});

test('fills in the address, the subject and the text', () => {
  expect(sendEmail.compile(settings)(on()).effect).toEqual({
    kind: 'email',
    to: 'ada@example.com, shop@example.com',
    subject: 'Order 7',
    body: 'Total 49.00',
  });
});

test('an order cannot add readers or headers', () => {
  const evil = on({ email: 'a@example.com, b@example.com', first_name: 'Ada\r\nBcc: all@example.com' });
  const { effect } = sendEmail.compile({ ...settings, subject: 'For {{customer.first_name}}' })(evil);
  expect(effect).toMatchObject({ to: 'shop@example.com', subject: 'For Ada Bcc: all@example.com' });
});

test('an order without an address says so', () => {
  const { effect, describe } = sendEmail.compile({ ...settings, to: '{{ customer.email }}' })(on({ email: '' }));
  expect(effect).toMatchObject({ to: '' });
  expect(describe.message).toContain('the order has no valid e-mail address');
});

test.each([
  ['shop', ['to']],
  ['shop@example.com,', ['to']],
  ['{{order.number}}@example.com', ['to']],
  ['{{customer.name}}', ['to']],
  ['a@example.com; b@example.com', ['to']],
  ['a@example.com, {{customer.email}}', []],
])('to "%s" has violations at %j', (to, paths) => {
  expect(sendEmail.violations?.({ ...settings, to }).map(({ path }) => path)).toEqual(paths);
});

test('placeholders that nobody knows are violations, all of them', () => {
  const violations = sendEmail.violations?.({ ...settings, subject: '{{a}}', body: '{{b}} {{order.total' });
  expect(violations?.map(({ path }) => path)).toEqual(['subject', 'body', 'body']);
});

test('changes nothing on the order', () => {
  expect(sendEmail.changesOrder).toBe(false);
});
