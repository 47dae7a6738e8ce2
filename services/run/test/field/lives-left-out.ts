import { at, type Life, lives } from './life';
import { anet } from './lives-acquirers';

const commerce = (id: number, order_key: string) => ({
  event: {
    id: `charge${id}`,
    type: 'charge:confirmed',
    created_at: at(1),
    data: {
      code: `C${id}`,
      metadata: { order_id: String(id), order_key, source: 'woocommerce' },
      pricing: { local: { amount: '29.00', currency: 'EUR' } },
    },
  },
});
const keyed = { order_key: 'wc_order_ours' };

/** What a sender leaves out where it has said it before, and what it says besides its order. */
const leftOut: readonly Life[] = [
  ...(
    [
      ['priorAuthCapture', 'captured', ['completed', 'PAID']],
      ['void', 'voided', ['pending', 'CANCELLED']],
    ] as const
  ).map(
    ([type, done, ends]): Life => ({
      // developer.authorize.net/api/reference/features/webhooks.html; docs.rs/crate/authorizenet/latest/source/tests/data/webhooks/payment.void.created.json
      name: `an authorisation names the order, and is ${done} by its own id alone`,
      preset: 'authorize-net',
      sends: (id) => [
        anet(id, 'authorization.created', '1'),
        anet(id, `${type}.created`, '1', { invoiceNumber: undefined }),
      ],
      ends,
    }),
  ),
  ...(
    [
      ['of this shop', 'wc_order_ours', ['completed', 'PAID']],
      ['of another shop on the account', 'wc_order_theirs', ['pending']],
    ] as const
  ).map(
    ([whose, key, ends]): Life => ({
      // github.com/coinbase/coinbase-commerce-woocommerce: `order_key` beside `order_id`
      name: `the key ${whose} beside the order`,
      preset: 'coinbase-commerce',
      order: keyed,
      sends: (id) => [commerce(id, key)],
      ends,
    }),
  ),
  {
    // "Single Partial Capture", docs.omise.co/capture; github.com/omise/omise-node/blob/master/test/mocks/charges_partial_capture.js (`captured_amount`)
    name: 'the capture of a part pays a part, whatever was authorised',
    preset: 'omise',
    order: { currency: 'THB' },
    sends: (id) => [
      {
        ...{ id: `evnt_${id}`, key: 'charge.capture', created_at: at(1) },
        data: {
          ...{ id: `chrg_${id}`, status: 'successful', currency: 'thb', metadata: { order_id: String(id) } },
          ...{ amount: 2900, authorization_type: 'pre_auth', authorized_amount: 2900, captured_amount: 1900 },
        },
      },
    ],
    ends: ['pending'],
    told: ['payment_partial'],
  },
  {
    // docs.xendit.co/apidocs/payment-webhook-notification (`captures`)
    name: 'the capture of a part pays a part, whatever was asked for',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [
      {
        event: 'payment.capture',
        created: at(1),
        data: {
          ...{ payment_id: `py-${id}`, reference_id: String(id), status: 'SUCCEEDED', currency: 'PHP' },
          ...{ request_amount: 29, captures: [{ capture_id: `cptr-${id}`, capture_amount: 20 }] },
        },
      },
    ],
    ends: ['pending'],
    told: ['payment_partial'],
  },
];

export const leftOutCases = lives(leftOut);
