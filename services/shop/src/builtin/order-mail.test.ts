import { buildOrder } from '@order-automation/testing';
import { mailAbout } from './order-mail';

const order = buildOrder({
  id: 7,
  number: 'A-7',
  currency: 'EUR',
  total: '23.90',
  line_items: [{ id: 1, name: 'House\nBlend', product_id: 1, quantity: 2, total: '19.00', sku: '' }],
  shipping_lines: [{ method_id: 'flat_rate', method_title: 'Courier', total: '4.90' }],
});
const named = {
  ...order,
  billing: { ...order.billing, first_name: 'Ada', last_name: 'Lind\r\nBcc: all@example.com', email: 'ada@example.com' },
};

test('a customer reads what happens to the order', () => {
  expect(mailAbout(named, 'completed')).toEqual({
    to: 'customer',
    address: 'ada@example.com',
    subject: 'Your order #A-7 is complete',
    body: 'Hello Ada,\n\nYour order is complete. Thank you for shopping with us.\n\nOrder A-7\n2 x House Blend: 19.00 EUR\nCourier: 4.90 EUR\nTotal: 23.90 EUR\n',
  });
});

test.each([
  ['processing', 'customer'],
  ['on-hold', 'customer'],
  ['refunded', 'customer'],
  ['cancelled', 'shop'],
  ['failed', 'shop'],
])('%s is mailed to the %s', (status, to) => {
  const mail = mailAbout(named, status);
  expect([mail?.to, mail?.address]).toEqual([to, to === 'customer' ? 'ada@example.com' : '']);
  expect(`${mail?.subject}`).not.toMatch(/[\r\n]/);
});

test.each(['pending', 'packing', 'constructor', 'trash'])('nobody gets a mail about %s', (status) => {
  expect(mailAbout(named, status)).toBeNull();
});

test('a long order is cut, and text of a customer never begins a line', () => {
  const line_items = Array.from({ length: 60 }, (_, id) => ({
    id,
    name: 'x',
    product_id: 1,
    quantity: 1,
    total: '1.00',
    sku: '',
  }));
  expect(mailAbout({ ...named, line_items }, 'completed')?.body).toContain('\nand 10 more\n');
  expect(mailAbout(named, 'failed')?.body).toContain('Customer: Ada Lind Bcc: all@example.com\n');
});
