import { at, type Life, lives, seconds } from './life';

const paymongo = (type: string, name: string, data: object) => ({
  data: { id: `evt_${name}`, type: 'event', attributes: { type, livemode: true, created_at: seconds(1), data } },
});

/** developers.paymongo.com/docs/developer-tools-webhooks-events */
const ofPayMongo: readonly Life[] = [
  {
    name: 'a payment, its checkout and its refund, each told by two events',
    preset: 'paymongo',
    order: { currency: 'PHP' },
    sends: (id) => {
      const metadata = { order_id: String(id) };
      const attributes = { amount: 2900, currency: 'PHP', status: 'paid', metadata };
      const paid = { id: `pay_${id}`, attributes };
      const back = { id: `ref_${id}`, attributes: { amount: 500, currency: 'PHP', status: 'succeeded' } };
      const session = { id: `cs_${id}`, attributes: { metadata, payments: [paid] } };
      return [
        paymongo('payment.paid', `1${id}`, paid),
        paymongo('checkout_session.payment.paid', `2${id}`, session),
        paymongo('payment.refunded', `3${id}`, { id: `pay_${id}`, attributes: { ...attributes, refunds: [back] } }),
        paymongo('payment.refund.updated', `4${id}`, {
          ...back,
          attributes: { ...back.attributes, payment_id: `pay_${id}` },
        }),
      ];
    },
    ends: ['completed', 'PAID', 'REFUND'],
  },
  ...[false, true].map((isNewestFirst) => ({
    // developers.paymongo.com/docs/developer-tools-webhooks-events (payment.refunded): the payment with all its `refunds`
    name: `two refunds that the payment alone reports, which lists them: the newest ${isNewestFirst ? 'first' : 'last'}`,
    preset: 'paymongo',
    order: { currency: 'PHP' },
    sends: (id: number) => {
      const metadata = { order_id: String(id) };
      const paid = (type: string, refunds: object[]) =>
        paymongo(type, `${refunds.length}${id}`, {
          id: `pay_${id}`,
          attributes: { amount: 2900, currency: 'PHP', status: 'paid', metadata, refunds },
        });
      const back = (name: string, amount: number, status: string) => ({
        id: `ref_${name}_${id}`,
        attributes: { amount, currency: 'PHP', status },
      });
      const [one, other] = [back('1', 500, 'succeeded'), back('2', 700, 'succeeded')];
      return [
        paid('payment.paid', []),
        paid('payment.refunded', [one]),
        paid('payment.refunded', isNewestFirst ? [other, one] : [one, other]),
        paid('payment.refunded', [one, other, back('3', 100, 'pending')]),
      ];
    },
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'] as const,
  })),
];

const airwallex = (id: number, name: string, object: object) => ({
  id: `evt_${name}_${id}`,
  name,
  created_at: at(1),
  data: { object: { amount: 29, currency: 'EUR', ...object } },
});
const captured = (id: number, step: number, status: string, value: string) => ({
  resource: 'event',
  id: `event_${step}_${id}`,
  type: `payment.${status}`,
  createdAt: at(step),
  _embedded: {
    entity: {
      id: `tr_${id}`,
      status,
      metadata: { order_id: id },
      amount: { value: '29.00', currency: 'EUR' },
      amountCaptured: { value, currency: 'EUR' },
    },
  },
});
const legacyXendit = (id: number, event: string, name: string, data: object) => ({
  ...{ event, created: at(1), business_id: 'b' },
  data: { id: `${name}_${id}`, reference_id: String(id), currency: 'PHP', ...data },
});
const dodo = (type: string, data: object, step = 1) => ({ business_id: 'b', type, timestamp: at(step), data });

/** www.airwallex.com/docs/developer-tools__listen-for-webhook-events, docs.dodopayments.com/developer-resources/webhooks, developers.monnify.com/docs/integration-tools/webhooks */
const further: readonly Life[] = [
  {
    // docs.mollie.com/reference/get-payment: "amountCaptured", of a payment that is captured in parts
    name: 'captured in part',
    preset: 'mollie',
    sends: (id) => [captured(id, 1, 'authorized', '0.00'), captured(id, 2, 'paid', '10.00')],
    ends: ['pending'],
    told: ['payment_partial'],
  },
  {
    name: 'two parts of one payment pay the order together',
    preset: 'mollie',
    sends: (id) => [captured(id, 2, 'paid', '10.00'), captured(id, 3, 'paid', '29.00')],
    ends: ['completed', 'PAID'],
  },
  {
    // docs.xendit.co/apidocs/set-webhook-url: `ewallet`, "charge and other eWallet events"
    name: 'a charge of an e-wallet fails, another is paid',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [
      legacyXendit(id, 'ewallet.capture', 'ewc_1', { status: 'FAILED', charge_amount: 29 }),
      legacyXendit(id, 'ewallet.capture', 'ewc_2', { status: 'SUCCEEDED', charge_amount: 29, capture_amount: 29 }),
    ],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'a payment by QR code',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [legacyXendit(id, 'qr.payment', 'qrpy', { status: 'SUCCEEDED', amount: 29, qr_id: `qr_${id}` })],
    ends: ['completed', 'PAID'],
  },
  {
    // paystack.com/docs/api/payment-request: the number of the request's invoice is one that Paystack counts
    name: 'the number of an invoice is that of no order',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => [
      {
        event: 'paymentrequest.success',
        data: { id: 1_089_700 + id, amount: 2900, currency: 'NGN', status: 'success', paid: true, invoice_number: id },
      },
    ],
    ends: ['pending'],
  },
  {
    name: 'an attempt fails, the intent succeeds, a refund passes through three states',
    preset: 'airwallex',
    sends: (id) => {
      const ofIntent = { payment_intent_id: `int_${id}`, merchant_order_id: String(id) };
      const back = { id: `rfd_${id}`, payment_intent_id: `int_${id}`, amount: 5 };
      return [
        airwallex(id, 'payment_attempt.authorization_failed', { id: `att_${id}`, ...ofIntent }),
        airwallex(id, 'payment_intent.succeeded', { id: `int_${id}`, merchant_order_id: String(id) }),
        ...['refund.received', 'refund.accepted', 'refund.settled'].map((name) => airwallex(id, name, back)),
      ];
    },
    ends: ['completed', 'FAILED', 'PAID', 'REFUND'],
  },
  {
    name: 'a payment, two refunds of one amount, and a dispute that is lost',
    preset: 'dodo-payments',
    sends: (id) => {
      const paid = { payment_id: `pay_${id}`, total_amount: 2900, currency: 'EUR', metadata: { order_id: String(id) } };
      const back = (name: string) => ({
        refund_id: `ref_${name}_${id}`,
        payment_id: `pay_${id}`,
        amount: 500,
        currency: 'EUR',
      });
      const dispute = { dispute_id: `dp_${id}`, payment_id: `pay_${id}` };
      return [
        dodo('payment.succeeded', paid),
        dodo('refund.succeeded', back('1')),
        dodo('refund.succeeded', back('2')),
        dodo('dispute.opened', dispute),
        dodo('dispute.accepted', dispute),
      ];
    },
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID', 'REFUND', 'REFUND'],
  },
  {
    name: 'a subscription says with each payment that it is renewed: the first pays, the second renews, once',
    preset: 'dodo-payments',
    sends: (id) => {
      const of = { subscription_id: `sub_${id}`, currency: 'EUR', metadata: { order_id: String(id) } };
      return ['1', '2'].flatMap((name) => [
        dodo('payment.succeeded', { ...of, payment_id: `pay_${name}_${id}`, total_amount: 2900 }, Number(name)),
        dodo('subscription.renewed', { ...of, status: 'active' }, Number(name)),
      ]);
    },
    ends: ['completed', 'PAID', 'RENEWAL'],
  },
  {
    name: 'a payment and a refund that fails',
    preset: 'monnify',
    order: { currency: 'NGN' },
    sends: (id) => {
      const back = {
        transactionReference: `MNFY|${id}`,
        refundReference: `r${id}`,
        refundAmount: 5,
        refundStatus: 'FAILED',
      };
      const paid = {
        transactionReference: `MNFY|${id}`,
        paymentReference: String(id),
        amountPaid: '29.00',
        currency: 'NGN',
      };
      return [
        { eventType: 'SUCCESSFUL_TRANSACTION', eventData: paid },
        { eventType: 'FAILED_REFUND', eventData: back },
      ];
    },
    ends: ['completed', 'PAID'],
    told: ['refund_failed'],
  },
  {
    name: 'authorised, then failed',
    preset: 'revolut',
    sends: (id) =>
      ['ORDER_AUTHORISED', 'ORDER_FAILED'].map((event) => ({
        event,
        order_id: `uuid-${id}`,
        merchant_order_ext_ref: String(id),
      })),
    ends: ['pending', 'FAILED'],
  },
  {
    name: 'two tasks that tell one payment complete the order once',
    preset: 'zapier',
    sends: (id) =>
      ['1', '2'].map((name) => ({
        event_id: `${name}-${id}`,
        event_type: 'payment_completed',
        order_id: String(id),
        transaction_id: `tx-${id}`,
        amount: '29.00',
        currency: 'EUR',
      })),
    ends: ['completed', 'PAID'],
  },
  {
    name: 'its ping moves nothing and waits for nothing',
    preset: 'github',
    sends: (id) => [
      { zen: 'Keep it logically awesome.', hook_id: id, hook: { type: 'Repository', id }, repository: { id } },
    ],
    ends: ['pending'],
    untold: ['event_waiting'],
  },
];

export const furtherCases = lives([...ofPayMongo, ...further]);
