import { checked, condition } from '../component';
import { foundText } from '../products';
import { settingsOf, textList } from '../settings-schema';
import type { Facts } from '../situation';

type ShippingMethodSettings = { methods: string[] };

/** Each line by its method, and by its instance in a zone (`flat_rate:3`), which older orders of WooCommerce have in `method_id`. */
function methodsOf({ context }: Facts): string[][] {
  return context.order.shipping_lines.map(({ method_id, instance_id }) => {
    const [method = '', instance = instance_id] = method_id.split(/:(.*)/s);
    return `${instance ?? ''}` === '' ? [method] : [method, `${method}:${instance}`];
  });
}

/** An order that is not shipped never passes. */
export const shippingMethod = condition<ShippingMethodSettings>({
  id: 'shipping_method',
  label: 'Shipping method',
  description: 'Passes when the order is shipped by one of the methods.',
  edition: 'default',
  schema: settingsOf({
    methods: textList(
      'Methods',
      'Choose shipping methods, for example flat_rate or flat_rate:3; one of them must match.',
      { 'x-search-source': 'shipping_methods' },
    ),
  }),
  compile: ({ methods }) => {
    const wanted = new Set(methods);
    const expected = methods.join(' or ');
    return (facts) => {
      const found = methodsOf(facts);
      const pass = found.some((line) => line.some((method) => wanted.has(method)));
      const actual = foundText(
        found.map((line) => line.slice(-1)),
        'none',
      );
      return checked(pass, expected, actual, `shipping method is ${actual}`);
    };
  },
  nearest: ({ methods }, facts) => {
    const { shipping_lines: from } = facts.context.order;
    const [method_id = '', instance_id] = (methods[0] ?? '').split(/:(.*)/s);
    const line = { method_id, method_title: '', total: '0.00', ...(instance_id ? { instance_id } : {}) };
    return [{ field: 'order.shipping_lines', from, to: [line] }];
  },
});
