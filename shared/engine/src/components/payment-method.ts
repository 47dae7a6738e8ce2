import { oneOf } from '../one-of';
import { settingsOf, textList } from '../settings-schema';

type PaymentMethodSettings = { methods: string[] };

export const paymentMethod = oneOf<PaymentMethodSettings>({
  id: 'payment_method',
  label: 'Payment method',
  description: 'Passes when the order is paid by one of the methods.',
  edition: 'default',
  schema: settingsOf({
    methods: textList('Methods', 'Choose payment methods; one of them must match.', {
      'x-search-source': 'payment_methods',
    }),
  }),
  thing: 'payment method',
  values: ({ methods }) => methods,
  read: ({ context }) => (context.order.payment_method === '' ? null : context.order.payment_method),
  field: () => 'order.payment_method',
});
