const { createHmac } = require('node:crypto');

/** Signed webhooks of the card gateway, about 1.9 KB each, for programs that send them from outside. Plain Node.js, nothing of ours. */

/** Total of the orders that these webhooks pay for, in minor units and as the shop writes it. */
const amount = { minor: 4900, text: '49.00', currency: 'USD' };

/** One succeeded payment: `key` makes the event and the transaction unique. `created` in seconds since the epoch. */
function cardPayment({ key, orderId, created }) {
  const transaction = `pi_${key}`;
  const charge = `ch_${key}`;
  const object = {
    id: transaction,
    object: 'payment_intent',
    amount: amount.minor,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: amount.minor,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    created,
    currency: amount.currency.toLowerCase(),
    customer: `cus_${key}`,
    description: `Order ${orderId} at the demonstration shop`,
    invoice: null,
    last_payment_error: null,
    latest_charge: charge,
    livemode: true,
    metadata: { order_id: String(orderId), site_url: 'https://shop.example', customer_name: 'Ada Example', cart: key },
    next_action: null,
    on_behalf_of: null,
    payment_method: `pm_${key}`,
    payment_method_configuration_details: { id: 'pmc_1Example', parent: null },
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
      link: { persistent_token: null },
    },
    payment_method_types: ['card', 'link'],
    processing: null,
    receipt_email: 'ada@customer.example',
    review: null,
    setup_future_usage: null,
    shipping: {
      address: {
        city: 'Springfield',
        country: 'US',
        line1: '12 Long Street',
        line2: 'Apartment 4',
        postal_code: '12345',
        state: 'IL',
      },
      carrier: null,
      name: 'Ada Example',
      phone: null,
      tracking_number: null,
    },
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  const body = {
    id: `evt_${key}`,
    object: 'event',
    api_version: '2026-08-27',
    created,
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    request: { id: `req_${key}`, idempotency_key: key },
    type: 'payment_intent.succeeded',
  };
  return { transaction, body: Buffer.from(JSON.stringify(body)) };
}

/** The value of `Card-Signature`. `at` in seconds since the epoch. */
function cardSignature(secret, body, at) {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;
}

module.exports = { amount, cardPayment, cardSignature };
