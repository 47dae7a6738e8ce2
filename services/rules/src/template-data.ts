import type { ComponentChoice, RuleData } from '@order-automation/contracts';

type Template = { readonly id: string; readonly name: string; readonly description: string; readonly rule: RuleData };

const choice = (id: string, settings: ComponentChoice['settings'] = {}): ComponentChoice => ({ id, settings });
const note = (note_text: string) => choice('add_order_note', { note_text });
const complete = choice('change_status_to_completed', { send_emails: true, update_stock: true });
const hold = choice('change_status_to_on_hold', { send_emails: false, update_stock: false });

function rule(trigger: ComponentChoice, parts: Partial<Omit<RuleData, 'trigger'>>): RuleData {
  return { trigger, conditions: [], primaryAction: null, secondaryActions: [], ...parts };
}

/** Rules that are ready to be made. Each is checked by a test. */
export const templates: readonly Template[] = [
  {
    id: 'complete-virtual-orders',
    name: 'Complete paid virtual orders',
    description: 'Completes a paid order when every product in it is virtual: there is nothing to ship.',
    rule: rule(choice('order_processing'), {
      conditions: [choice('product_type', { types: ['virtual'], match_all: true })],
      primaryAction: complete,
      secondaryActions: [note('Completed: all products are virtual.')],
    }),
  },
  {
    id: 'complete-downloads',
    name: 'Complete paid downloads',
    description: 'Completes a paid order when every product in it is downloadable.',
    rule: rule(choice('order_processing'), {
      conditions: [choice('product_type', { types: ['downloadable'], match_all: true })],
      primaryAction: complete,
    }),
  },
  {
    id: 'complete-small-orders',
    name: 'Complete small paid orders',
    description: 'Completes a paid order whose total is at most 20, in its own currency.',
    rule: rule(choice('order_processing'), {
      conditions: [choice('order_total', { operator: 'lte', amount: 20 })],
      primaryAction: complete,
    }),
  },
  {
    id: 'note-large-orders',
    name: 'Mark large orders with a note',
    description: 'Writes a private note on a paid order of more than 500, so that somebody looks at it.',
    rule: rule(choice('order_processing'), {
      conditions: [choice('order_total', { operator: 'gt', amount: 500 })],
      secondaryActions: [note('Large order: {{order.total}} {{order.currency}}. Please check before shipping.')],
    }),
  },
  {
    id: 'note-failed-orders',
    name: 'Note why an order failed',
    description: 'Writes the event and the payment method on an order that failed.',
    rule: rule(choice('order_failed'), {
      secondaryActions: [note('The order failed. Payment method: {{order.payment_method}}.')],
    }),
  },
  {
    id: 'thank-for-local-pickup',
    name: 'Tell customers who pick up',
    description: 'Writes a note to the customer of a paid order that is picked up in the shop.',
    rule: rule(choice('order_processing'), {
      conditions: [choice('shipping_method', { methods: ['local_pickup'] })],
      secondaryActions: [
        choice('add_order_note', {
          note_text:
            'Thank you, {{customer.first_name}}. Your order {{order.number}} can be picked up from tomorrow on.',
          is_customer_note: true,
        }),
      ],
    }),
  },
  {
    id: 'hold-large-first-orders',
    name: 'Hold large first orders',
    description: 'Puts a paid order of more than 300 on hold when the customer has no other order.',
    rule: rule(choice('order_processing'), {
      conditions: [
        choice('order_total', { operator: 'gt', amount: 300 }),
        choice('customer_order_count', { operator: 'eq', amount: 0 }),
      ],
      primaryAction: hold,
      secondaryActions: [choice('add_order_tag', { tag: 'check-first-order' })],
    }),
  },
  {
    id: 'tag-disputes',
    name: 'Tag disputed orders',
    description: 'Tags an order and puts it on hold when its payment is disputed.',
    rule: rule(choice('dispute_opened'), {
      primaryAction: hold,
      secondaryActions: [choice('add_order_tag', { tag: 'dispute' }), note('Dispute opened by {{event.gateway}}.')],
    }),
  },
  {
    id: 'complete-renewals',
    name: 'Complete paid renewals',
    description: 'Completes the order of a subscription when the payment of a renewal completes.',
    rule: rule(choice('subscription_renewal'), { primaryAction: complete }),
  },
  {
    id: 'cancel-unpaid-orders',
    name: 'Cancel orders that stay unpaid',
    description: 'Each hour, cancels orders that have been pending for more than three days.',
    rule: rule(
      choice('schedule', { cron: '0 * * * *', order_statuses: ['pending'], older_than_minutes: 3 * 24 * 60 }),
      {
        primaryAction: choice('change_status_to_cancelled', { send_emails: true, update_stock: true }),
        secondaryActions: [note('Cancelled: not paid within three days.')],
      },
    ),
  },
  {
    id: 'mail-failed-payments',
    name: 'Mail customers whose payment failed',
    description: 'Sends the customer an e-mail when a payment fails.',
    rule: rule(choice('payment_failed'), {
      secondaryActions: [
        choice('send_email', {
          to: '{{customer.email}}',
          subject: 'Your payment for order {{order.number}} failed',
          body: 'Hello {{customer.first_name}},\n\nthe payment of {{order.total}} {{order.currency}} did not go through. Please try again.\n',
        }),
      ],
    }),
  },
  {
    id: 'call-on-refund',
    name: 'Call another system on refunds',
    description: 'Calls the address of your accounting with each refund. Put your own address in.',
    rule: rule(choice('refund_created'), {
      secondaryActions: [
        choice('send_webhook', { url: 'https://accounting.example.com/refunds', event: 'order.refunded' }),
      ],
    }),
  },
  {
    id: 'note-night-payments',
    name: 'Mark payments at night',
    description: 'Writes a note when a payment completes between eight in the evening and eight in the morning.',
    rule: rule(choice('payment_complete'), {
      conditions: [choice('time_window', { from: '20:00', to: '08:00' })],
      secondaryActions: [note('Paid outside office hours by {{event.gateway}}.')],
    }),
  },
];
