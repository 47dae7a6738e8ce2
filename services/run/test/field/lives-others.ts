import { at, type Life, lives, seconds } from './life';

const mollie = (id: number, type: string, entity: object, step = 1) => ({
  resource: 'event',
  id: `event_${type}_${step}_${id}`,
  type,
  createdAt: at(step),
  _embedded: { entity: { amount: { value: '29.00', currency: 'EUR' }, ...entity } },
});
const tr = (id: number, name: string) => ({ id: `tr_${name}_${id}`, metadata: JSON.stringify({ order_id: id }) });

/** docs.mollie.com/reference/payments-api-webhooks ("metadata" as text), docs.mollie.com/reference/webhooks-new */
const ofMollie: readonly Life[] = [
  {
    name: 'failed, then authorised and paid by another payment, then a part refunded',
    preset: 'mollie',
    sends: (id) => [
      mollie(id, 'payment.failed', tr(id, '1')),
      mollie(id, 'payment.authorized', tr(id, '2'), 2),
      mollie(id, 'payment.paid', tr(id, '2'), 3),
      mollie(id, 'refund.processing', { id: `re_${id}`, paymentId: `tr_2_${id}` }, 4),
      mollie(
        id,
        'refund.refunded',
        { id: `re_${id}`, paymentId: `tr_2_${id}`, amount: { value: '5.00', currency: 'EUR' } },
        5,
      ),
    ],
    ends: ['completed', 'FAILED', 'PAID', 'REFUND'],
  },
  {
    // docs.mollie.com/changelog/add-chargeback-and-capture-webhook-event-types
    name: 'a chargeback that is received, then reversed',
    preset: 'mollie',
    sends: (id) => [
      mollie(id, 'payment.paid', tr(id, '1')),
      mollie(id, 'chargeback.received', { id: `chb_${id}`, paymentId: `tr_1_${id}` }, 3),
      mollie(id, 'chargeback.reversed', { id: `chb_${id}`, paymentId: `tr_1_${id}`, reversedAt: at(5) }, 5),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
  },
  {
    name: 'an expired payment',
    preset: 'mollie',
    sends: (id) => [mollie(id, 'payment.expired', tr(id, '1'))],
    ends: ['pending', 'CANCELLED'],
  },
];

const gocardless = (id: number, name: string, ...events: readonly (readonly [string, string, object])[]) => ({
  events: events.map(([resource_type, action, links], index) => ({
    id: `EV${name}${index}${id}`,
    created_at: at(Number(name) + index),
    resource_type,
    action,
    links,
    resource_metadata: resource_type === 'payments' ? { order_id: String(id) } : {},
  })),
});

/** developer.gocardless.com/api-reference/#event-types, "payments" and "refunds" */
const ofGoCardless: readonly Life[] = [
  {
    name: 'several steps of a payment and its refund in one body',
    preset: 'gocardless',
    sends: (id) => [
      gocardless(
        id,
        '1',
        ['payments', 'created', { payment: `PM${id}` }],
        ['payments', 'submitted', { payment: `PM${id}` }],
      ),
      gocardless(
        id,
        '3',
        ['payments', 'confirmed', { payment: `PM${id}` }],
        ['payments', 'paid_out', { payment: `PM${id}` }],
      ),
      gocardless(
        id,
        '5',
        ['refunds', 'created', { refund: `RF1${id}`, payment: `PM${id}` }],
        ['refunds', 'created', { refund: `RF2${id}`, payment: `PM${id}` }],
      ),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
  },
  {
    name: 'a batch that comes again with one event more does nothing twice',
    preset: 'gocardless',
    sends: (id) => [
      gocardless(id, '1', ['payments', 'confirmed', { payment: `PM${id}` }]),
      gocardless(
        id,
        '1',
        ['payments', 'confirmed', { payment: `PM${id}` }],
        ['mandates', 'active', { mandate: `MD${id}` }],
      ),
    ],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'a charge back that is cancelled',
    preset: 'gocardless',
    sends: (id) => [
      gocardless(id, '1', ['payments', 'confirmed', { payment: `PM${id}` }]),
      gocardless(id, '2', ['payments', 'charged_back', { payment: `PM${id}` }]),
      gocardless(id, '3', ['payments', 'chargeback_cancelled', { payment: `PM${id}` }]),
    ],
    ends: ['completed', 'PAID', 'WON'],
  },
  {
    name: 'a subscription whose own events alone name the order: the second month is a renewal',
    preset: 'gocardless',
    sends: (id) =>
      ['1', '2'].flatMap((month, index) => {
        const [begun, come] = [1 + 4 * index, 3 + 4 * index];
        const payment = { payment: `PM${month}${id}` };
        const { events } = gocardless(
          id,
          String(begun),
          ['subscriptions', 'payment_created', { subscription: `SB${id}`, ...payment }],
          ['payments', 'created', payment],
        );
        const named = events.map((event, at) => ({
          ...event,
          resource_metadata: at === 0 ? { order_id: String(id) } : {},
        }));
        const [confirmed] = gocardless(id, String(come), ['payments', 'confirmed', payment]).events;
        return [{ events: named }, { events: [{ ...confirmed, resource_metadata: {} }] }];
      }),
    ends: ['completed', 'PAID', 'RENEWAL'],
  },
];

const commerce = (id: number, type: string, step: number) => ({
  id: step,
  attempt_number: 1,
  event: {
    id: `${type}${id}`,
    type,
    created_at: at(step),
    data: {
      code: `C${id}`,
      metadata: { order_id: String(id) },
      pricing: { local: { amount: '29.00', currency: 'EUR' } },
    },
  },
});
const btcpay = (id: number, type: string, more: object = {}) => ({
  deliveryId: `${type}${id}`,
  originalDeliveryId: `${type}${id}`,
  isRedelivery: false,
  type,
  timestamp: seconds(1),
  invoiceId: `I${id}`,
  metadata: { orderId: String(id) },
  ...more,
});

/** docs.cdp.coinbase.com/commerce/api-architecture/webhooks-events, docs.btcpayserver.org/API/Greenfield/v1/ */
const crypto: readonly Life[] = [
  {
    name: 'too late, and resolved by hand',
    preset: 'coinbase-commerce',
    sends: (id) =>
      ['charge:created', 'charge:failed', 'charge:delayed', 'charge:resolved'].map((type, step) =>
        commerce(id, type, step + 1),
      ),
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'received, processing, settled, and delivered again under another id',
    preset: 'btcpay',
    sends: (id) => [
      ...['InvoiceCreated', 'InvoiceReceivedPayment', 'InvoiceProcessing', 'InvoiceSettled'].map((type) =>
        btcpay(id, type),
      ),
      btcpay(id, 'InvoiceSettled', { deliveryId: `again${id}`, isRedelivery: true }),
    ],
    ends: ['completed', 'PAID'],
  },
  // docs.btcpayserver.org/Invoices, "Expired (paidPartial)": money came, and the shop must speak with its buyer
  {
    name: 'expired with a part of the money',
    preset: 'btcpay',
    sends: (id) => [btcpay(id, 'InvoiceReceivedPayment'), btcpay(id, 'InvoiceExpired', { partiallyPaid: true })],
    ends: ['pending', 'FAILED'],
  },
  {
    name: 'expired without any money',
    preset: 'btcpay',
    sends: (id) => [btcpay(id, 'InvoiceExpired', { partiallyPaid: false })],
    ends: ['pending', 'CANCELLED'],
  },
];

const xendit = (id: number, status: string) => ({
  id: `inv${id}`,
  external_id: String(id),
  status,
  amount: 29,
  currency: 'PHP',
});

/** docs.xendit.co/docs/payments-api-webhooks; a refund's own `reference_id` is not that of the order */
const ofXendit: readonly Life[] = [
  {
    name: 'paid and settled are one payment; a refund names its invoice',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [
      xendit(id, 'PAID'),
      xendit(id, 'SETTLED'),
      {
        event: 'refund.succeeded',
        created: at(3),
        data: { id: `rfd${id}`, invoice_id: `inv${id}`, reference_id: `my-refund-${id}`, amount: 5, currency: 'PHP' },
      },
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    // docs.xendit.co/apidocs/dispute-webhook-notifications: the payment beside the dispute, the amount as an object
    name: 'a dispute that wants an action, then is won',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [
      { event: 'payment.capture', data: { payment_id: `py${id}`, reference_id: String(id), request_amount: 29 } },
      ...['action_required', 'under_review', 'won'].map((state, step) => ({
        ...{ event: `dispute.${state}`, id: `mi-dspt-${id}`, payment_id: `py${id}`, updated_at: at(3 + step) },
        ...{ status: state.toUpperCase(), currency: 'PHP', amount: { initial: '29.00', terminal: null } },
      })),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
  },
  {
    name: 'an invoice that expires',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [xendit(id, 'EXPIRED')],
    ends: ['pending', 'CANCELLED'],
  },
];

export const otherCases = lives([...ofMollie, ...ofGoCardless, ...crypto, ...ofXendit]);
