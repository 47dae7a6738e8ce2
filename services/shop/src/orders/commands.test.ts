import { buildOrder } from '@order-automation/testing';
import { noteText } from './commands';

// github.com/woocommerce/woocommerce, class-wc-email-customer-note.php: `$this->recipient = $this->object->get_billing_email()`
test.each([
  [false, '', 'A note was added.'],
  [true, 'ada@shop.example', 'A note to the customer was added.'],
  [true, '', 'A note to the customer was added. It is mailed to nobody: the order has no e-mail address.'],
])('a note to the customer (%s) of an order with the e-mail address "%s": %s', (customer_note, email, text) => {
  const { billing, ...order } = buildOrder({});
  const command = { kind: 'add_note', note: 'Ready', customer_note } as const;
  expect(noteText(command, { ...order, billing: { ...billing, email } })).toBe(text);
});
