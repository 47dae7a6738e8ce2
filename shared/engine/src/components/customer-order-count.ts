import { type ComparisonSettings, comparison, comparisonSchema } from '../comparison';

/** By customer id, else billing e-mail (decisions.md section 4). A first order counts 0. */
export const customerOrderCount = comparison<ComparisonSettings>({
  id: 'customer_order_count',
  label: 'Other orders of the customer',
  description: "Compares the number of the customer's other orders, processing or completed; 0: a first order.",
  edition: 'extended',
  needs: ['customer'],
  schema: comparisonSchema('number of other orders', { type: 'integer', minimum: 0, maximum: 1_000_000 }),
  read: ({ customer }) => String(customer?.order_count ?? 0),
  describeActual: (count) => `the customer has ${count} other ${count === '1' ? 'order' : 'orders'}`,
  changed: ({ customer }, to) => ({ field: 'customer.order_count', from: customer?.order_count ?? 0, to: Number(to) }),
});
