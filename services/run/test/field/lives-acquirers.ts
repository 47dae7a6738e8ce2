import { at, type Life, lives } from './life';

const item = (id: number, eventCode: string, psp: string, original: string, more: object = {}) => ({
  live: 'true',
  notificationItems: [
    {
      NotificationRequestItem: {
        additionalData: { hmacSignature: `${eventCode}${psp}${id}` },
        eventCode,
        success: 'true',
        pspReference: `${psp}${id}`,
        originalReference: original && `${original}${id}`,
        merchantReference: String(id),
        amount: { value: 2900, currency: 'EUR' },
        ...more,
      },
    },
  ],
});
const part = { amount: { value: 500, currency: 'EUR' } };

/** docs.adyen.com/development-resources/webhooks/webhook-types, docs.adyen.com/development-resources/currency-codes ("differs from standard") */
const adyen: readonly Life[] = [
  {
    name: 'a refused payment, then another that is paid',
    preset: 'adyen',
    sends: (id) => [item(id, 'AUTHORISATION', 'a', '', { success: 'false' }), item(id, 'AUTHORISATION', 'b', '')],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'two refunds of one amount are two, and the one that fails is recorded',
    preset: 'adyen',
    sends: (id) => [
      item(id, 'AUTHORISATION', 'a', ''),
      item(id, 'REFUND', 'r', 'a', part),
      item(id, 'REFUND', 's', 'a', part),
      item(id, 'REFUND_FAILED', 's', 'a', part),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    name: 'CANCEL_OR_REFUND says which of both it was',
    preset: 'adyen',
    sends: (id) => [
      item(id, 'AUTHORISATION', 'a', ''),
      item(id, 'CANCEL_OR_REFUND', 'c', 'a', {
        additionalData: { hmacSignature: `c${id}`, 'modification.action': 'refund' },
      }),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    name: 'rupiah have no decimals here',
    preset: 'adyen',
    order: { currency: 'IDR', total: '29000.00' },
    sends: (id) => [item(id, 'AUTHORISATION', 'a', '', { amount: { value: 29000, currency: 'IDR' } })],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'Chilean pesos have two decimals here',
    preset: 'adyen',
    order: { currency: 'CLP', total: '29000' },
    sends: (id) => [item(id, 'AUTHORISATION', 'a', '', { amount: { value: 2900000, currency: 'CLP' } })],
    ends: ['completed', 'PAID'],
  },
  {
    // https://github.com/Adyen/adyen-salesforce-commerce-cloud/issues/440 and 441, https://github.com/Adyen/adyen-magento2/pull/2771
    name: 'a gift card pays a part, the rest is refused, the gift card is let go; then one card pays all',
    preset: 'adyen',
    sends: (id) => [
      item(id, 'ORDER_OPENED', 'o', '', { eventDate: at(1) }),
      item(id, 'AUTHORISATION', 'a', '', { amount: { value: 2000, currency: 'EUR' }, eventDate: at(2) }),
      item(id, 'AUTHORISATION', 'b', '', { ...part, success: 'false', eventDate: at(3) }),
      item(id, 'ORDER_CLOSED', 'o', '', { success: 'false', eventDate: at(4) }),
      item(id, 'CANCELLATION', 'c', 'a', { amount: { value: 2000, currency: 'EUR' }, eventDate: at(5) }),
      item(id, 'AUTHORISATION', 'w', '', { eventDate: at(6) }),
    ],
    ends: ['completed', 'CANCELLED', 'FAILED', 'PAID'],
  },
  {
    name: 'a payment that is pending does not complete the order',
    preset: 'adyen',
    sends: (id) => [item(id, 'PENDING', 'a', '')],
    ends: ['pending'],
  },
];

export const data = (id: number, type: string, more: object = {}) => ({
  id: `evt_${type}_${JSON.stringify(more).length}_${id}`,
  type,
  created_on: at(1),
  data: {
    id: `pay_${id}`,
    action_id: `act_${type}_${id}`,
    reference: String(id),
    amount: 2900,
    currency: 'EUR',
    ...more,
  },
});
const dispute = (id: number, type: string) => ({
  id: `evt_${type}_${id}`,
  type,
  created_on: at(5),
  data: { id: `dsp_${id}`, payment_id: `pay_${id}`, payment_reference: String(id), amount: 2900, currency: 'EUR' },
});

/** www.checkout.com/docs/reporting-and-insights/events-api/event-types */
const checkout: readonly Life[] = [
  {
    name: 'declined, then another payment is approved and captured',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_declined', { id: `pay_x${id}` }),
      data(id, 'payment_approved'),
      data(id, 'payment_captured'),
    ],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'two refunds by their actions, one of which is declined',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured'),
      data(id, 'payment_refunded', { amount: 500, action_id: `act_1_${id}` }),
      data(id, 'payment_refunded', { amount: 500, action_id: `act_22_${id}` }),
      data(id, 'payment_refund_declined', { amount: 500, action_id: `act_333_${id}` }),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    name: 'a dispute that is received and wants evidence is one, and won',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured'),
      ...['dispute_received', 'dispute_evidence_required', 'dispute_won'].map((type) => dispute(id, type)),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
  },
  {
    name: 'an authorisation that expires',
    preset: 'checkout-com',
    sends: (id) => [data(id, 'payment_approved'), data(id, 'payment_expired')],
    ends: ['pending', 'CANCELLED'],
  },
  {
    name: 'the capture of a part needs a person',
    preset: 'checkout-com',
    sends: (id) => [data(id, 'payment_captured', { amount: 1000 })],
    ends: ['pending'],
    told: ['payment_partial'],
  },
  {
    // checkout.com/docs/developer-resources/event-notifications/event-types/payment_captured, `action_id`
    name: 'two captures of one payment by their actions add up',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured', { amount: 1000, action_id: `act_1_${id}` }),
      data(id, 'payment_captured', { amount: 1900, action_id: `act_22_${id}` }),
      data(id, 'payment_refunded', { amount: 500, action_id: `act_333_${id}` }),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    // The same page: `id` is the payment, which refunds name.
    name: 'a captured part that is given back, then another payment of all of it',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured', { amount: 1000, action_id: `act_1_${id}` }),
      data(id, 'payment_refunded', { amount: 1000, action_id: `act_22_${id}` }),
      data(id, 'payment_captured', { id: `pay_2_${id}`, action_id: `act_333_${id}` }),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    // https://github.com/woocommerce/woocommerce/issues/9297
    name: 'paid twice, and the second payment given back',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured', { action_id: `act_1_${id}` }),
      data(id, 'payment_captured', { id: `pay_2_${id}`, action_id: `act_22_${id}` }),
      data(id, 'payment_refunded', { id: `pay_2_${id}`, action_id: `act_333_${id}` }),
    ],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'the same capture under another event is no second payment',
    preset: 'checkout-com',
    sends: (id) => [data(id, 'payment_captured'), data(id, 'payment_captured', { processed_on: at(2) })],
    ends: ['completed', 'PAID'],
  },
];

export const anet = (id: number, type: string, transaction: string, more: object = {}) => ({
  notificationId: `${type}${transaction}${id}`,
  eventType: `net.authorize.payment.${type}`,
  eventDate: at(1),
  payload: {
    responseCode: 1,
    authAmount: 29.0,
    invoiceNumber: String(id),
    entityName: 'transaction',
    id: `${transaction}${id}`,
    ...more,
  },
});

/** developer.authorize.net/api/reference/features/webhooks.html, developer.authorize.net/api/reference/responseCodes.html */
const authorizeNet: readonly Life[] = [
  {
    name: 'authorised, then captured: paid once',
    preset: 'authorize-net',
    sends: (id) => [anet(id, 'authorization.created', '1'), anet(id, 'priorAuthCapture.created', '1')],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'a transaction that was declined is no payment',
    preset: 'authorize-net',
    sends: (id) => [anet(id, 'authcapture.created', '1', { responseCode: 2 }), anet(id, 'authcapture.created', '2')],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'one that is held for review is not paid yet',
    preset: 'authorize-net',
    sends: (id) => [anet(id, 'authcapture.created', '1', { responseCode: 4 }), anet(id, 'fraud.held', '1')],
    ends: ['pending'],
  },
  {
    name: 'two refunds, each a transaction',
    preset: 'authorize-net',
    sends: (id) => [
      anet(id, 'authcapture.created', '1'),
      anet(id, 'refund.created', '3', { authAmount: 5 }),
      anet(id, 'refund.created', '4', { authAmount: 5 }),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
  },
];

const connect = (id: number, type: string, what: object) => ({
  apiVersion: 'v1',
  id: `${type}${id}`,
  created: at(1).replace('Z', '+0000'),
  type,
  ...what,
});
const ofPayment = (id: number) => ({
  payment: {
    id: `00000085${id}`,
    paymentOutput: {
      amountOfMoney: { amount: 2900, currencyCode: 'EUR' },
      references: { merchantReference: String(id) },
    },
  },
});
const ofRefund = (id: number) => ({
  refund: {
    id: `00000085${id}-00001`,
    refundOutput: {
      amountOfMoney: { amount: 500, currencyCode: 'EUR' },
      references: { merchantReference: String(id) },
    },
  },
});

/** docs.connect.worldline-solutions.com/documentation/webhooks/event-types/ */
const worldline: readonly Life[] = [
  {
    name: 'captured and paid are one payment; a refund is reported by two objects',
    preset: 'worldline',
    sends: (id) => [
      ...['payment.pending_capture', 'payment.captured', 'payment.paid'].map((type) =>
        connect(id, type, ofPayment(id)),
      ),
      connect(id, 'refund.refund_requested', ofRefund(id)),
      connect(id, 'refund.refunded', ofRefund(id)),
      connect(id, 'payment.refunded', ofPayment(id)),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  ...(
    [
      ['JPY', '2900', 290_000],
      ['KWD', '29.000', 2900],
    ] as const
  ).map(
    ([currency, total, amount]): Life => ({
      // github.com/Ingenico-ePayments/connect-sdk-nodejs, AmountOfMoney: "Amount in cents and always having 2 decimals"
      name: `amounts in ${currency} have two decimals too`,
      preset: 'worldline',
      order: { currency, total },
      sends: (id) => {
        const { payment } = ofPayment(id);
        const paymentOutput = { ...payment.paymentOutput, amountOfMoney: { amount, currencyCode: currency } };
        return [connect(id, 'payment.captured', { payment: { ...payment, paymentOutput } })];
      },
      ends: ['completed', 'PAID'],
    }),
  ),
  {
    name: 'a capture that is rejected',
    preset: 'worldline',
    sends: (id) =>
      ['payment.capture_requested', 'payment.rejected_capture'].map((type) => connect(id, type, ofPayment(id))),
    ends: ['pending', 'FAILED'],
  },
];

export const acquirerCases = lives([...adyen, ...checkout, ...authorizeNet, ...worldline]);
