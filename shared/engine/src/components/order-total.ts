import { type ComparisonSettings, comparison, comparisonSchema } from '../comparison';

/** Compares the order's total, exactly and in the order's own currency; refunds leave it as it is, as in WooCommerce. */
export const orderTotal = comparison<ComparisonSettings>({
  id: 'order_total',
  label: 'Order total',
  description:
    "Compares the total of the order, in the order's own currency, with an amount. Refunds are not taken off.",
  edition: 'default',
  schema: comparisonSchema('total', { type: 'number', minimum: 0, maximum: 1_000_000_000_000 }),
  read: ({ context }) => context.order.total,
  describeActual: (total) => `order total is ${total}`,
  changed: ({ context }, to) => ({ field: 'order.total', from: context.order.total, to }),
});
