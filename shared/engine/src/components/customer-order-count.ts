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
import type { Facts } from '../situation';

const countOf = ({ customer }: Facts): number => customer?.order_count ?? 0;
const decimal = (count: number) => ({ units: BigInt(count), scale: 0 });

/** By customer id, else billing e-mail (decisions.md section 4). A first order counts 0. */
export const customerOrderCount = condition<ComparisonSettings>({
  id: 'customer_order_count',
  label: 'Other orders of the customer',
  description: "Compares the number of the customer's other orders that are processing or completed.",
  edition: 'extended',
  needs: ['customer'],
  schema: comparisonSchema('number of other orders', { type: 'integer', minimum: 0, maximum: 1_000_000 }),
  violations: comparisonViolations,
  normalise: withOperatorName,
  compile: (settings) => {
    const holds = comparisonTest(settings);
    const { expected, passed, failed } = comparisonTexts(settings)(0);
    return (facts) => {
      const actual = String(countOf(facts));
      const pass = holds(decimal(countOf(facts)));
      return { pass, expected, actual, reason: `the customer has ${actual} other orders${pass ? passed : failed}` };
    };
  },
  nearest: (settings, facts) => {
    const from = countOf(facts);
    if (comparisonTest(settings)(decimal(from))) return [];
    const to = nearestValue(settings, String(from), 0, 0);
    return to === null ? null : [{ field: 'customer.order_count', from, to: Number(to) }];
  },
});
