import { decimalsOf, sameAmount } from '../amount';
import {
  type ComparisonSettings,
  comparisonSchema,
  comparisonTest,
  comparisonTexts,
  comparisonViolations,
  nearestValue,
  withOperatorName,
} from '../comparison';
import { condition } from '../component';

/** Compares the order's total, exactly and in the order's own currency; refunds leave it as it is, as in WooCommerce. */
export const orderTotal = condition<ComparisonSettings>({
  id: 'order_total',
  label: 'Order total',
  description:
    "Compares the total of the order, in the order's own currency, with an amount. Refunds are not taken off.",
  edition: 'default',
  schema: comparisonSchema('total', { type: 'number', minimum: 0, maximum: 1_000_000_000_000 }),
  violations: comparisonViolations,
  normalise: withOperatorName,
  compile: (settings) => {
    const holds = comparisonTest(settings);
    const textsFor = comparisonTexts(settings);
    return ({ context }) => {
      const actual = context.order.total;
      const total = sameAmount(actual);
      const { expected, passed, failed } = textsFor(decimalsOf(actual));
      const pass = total !== undefined && holds(total);
      return { pass, expected, actual, reason: `order total is ${actual}${pass ? passed : failed}` };
    };
  },
  nearest: (settings, { context: { order } }) => {
    const total = sameAmount(order.total);
    if (total && comparisonTest(settings)(total)) return [];
    const to = nearestValue(settings, order.total, decimalsOf(order.total), 0);
    return to === null ? null : [{ field: 'order.total', from: order.total, to }];
  },
});
