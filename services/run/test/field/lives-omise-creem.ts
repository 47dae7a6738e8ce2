import { at, type Life, lives, seconds } from './life';

const omise = (id: number, key: string, data: object, step = 1) => ({
  object: 'event',
  id: `evnt_${key}${step}_${id}`,
  livemode: true,
  key,
  created_at: at(step),
  data: { currency: 'thb', ...data },
});
const charge = (id: number, name: string, status: string) => ({
  object: 'charge',
  id: `chrg_${name}_${id}`,
  amount: 2900,
  status,
  paid: status === 'successful',
  failure_code: status === 'failed' ? 'insufficient_fund' : null,
  metadata: { order_id: String(id) },
});
const ofCharge = (id: number, name: string) => ({ object: 'refund', id: `rfnd_${name}_${id}`, charge: `chrg_1_${id}` });
const dispute = (id: number, status: string) => ({
  ...{ object: 'dispute', id: `dspt_${id}`, charge: `chrg_1_${id}`, amount: 2900, status },
});
const baht = { currency: 'THB' };

/** docs.omise.co/api-webhooks; github.com/omise/omise-woocommerce/tree/master/includes/events says which status comes with `charge.complete` */
const ofOmise: readonly Life[] = [
  {
    name: 'failed, then paid by another charge, after 3-D Secure',
    preset: 'omise',
    order: baht,
    sends: (id) => [
      omise(id, 'charge.create', charge(id, '0', 'pending')),
      omise(id, 'charge.complete', charge(id, '0', 'failed'), 2),
      omise(id, 'charge.create', charge(id, '1', 'pending'), 3),
      omise(id, 'charge.complete', charge(id, '1', 'successful'), 4),
      omise(id, 'charge.update', charge(id, '1', 'successful'), 5),
    ],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'authorised is not paid, captured is, once',
    preset: 'omise',
    order: baht,
    sends: (id) => [
      omise(id, 'charge.complete', charge(id, '1', 'pending')),
      omise(id, 'charge.capture', charge(id, '1', 'successful'), 2),
    ],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'paid at once, two refunds that name the charge alone',
    preset: 'omise',
    order: baht,
    sends: (id) => [
      omise(id, 'charge.create', charge(id, '1', 'successful')),
      omise(id, 'charge.complete', charge(id, '1', 'successful'), 2),
      omise(id, 'refund.create', { ...ofCharge(id, '1'), amount: 500, status: 'closed' }, 3),
      omise(id, 'refund.create', { ...ofCharge(id, '2'), amount: 500, status: 'closed' }, 4),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
  },
  {
    name: 'a dispute that is lost',
    preset: 'omise',
    order: baht,
    sends: (id) => [
      omise(id, 'charge.complete', charge(id, '1', 'successful')),
      omise(id, 'dispute.create', dispute(id, 'open'), 2),
      omise(id, 'dispute.update', dispute(id, 'pending'), 3),
      omise(id, 'dispute.close', dispute(id, 'lost'), 4),
    ],
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID'],
  },
  {
    name: 'a charge that nobody pays expires',
    preset: 'omise',
    order: baht,
    sends: (id) => [
      omise(id, 'charge.create', charge(id, '1', 'pending')),
      omise(id, 'charge.expire', charge(id, '1', 'expired'), 2),
    ],
    ends: ['pending', 'CANCELLED'],
  },
];

const creem = (id: number, eventType: string, object: object, step = 1) => ({
  id: `evt_${eventType}${step}_${id}`,
  eventType,
  created_at: seconds(step) * 1000,
  object,
});
const metadata = (id: number) => ({ metadata: { order_id: String(id) } });
const order = (id: number, type: string) => ({
  ...{ id: `ord_${id}`, amount: 2397, tax_amount: 503, amount_paid: 2900, currency: 'EUR', status: 'paid', type },
  transaction: `tran_1_${id}`,
});
const checkout = (id: number) => ({ id: `ch_${id}`, object: 'checkout', status: 'completed', ...metadata(id) });
const transaction = (id: number) => ({ id: `tran_1_${id}`, order: `ord_${id}`, amount: 2397, amount_paid: 2900 });
const back = (id: number, name: string, status: string) => ({
  ...{ id: `ref_${name}_${id}`, object: 'refund', status, refund_amount: 500, refund_currency: 'EUR' },
  ...{ transaction: transaction(id), checkout: checkout(id), order: order(id, 'onetime') },
});

/** docs.creem.io/code/webhooks/event-types: the price without the tax stands beside what was paid with it */
const ofCreem: readonly Life[] = [
  {
    name: 'paid with its tax, refunded in part, and a refund that is cancelled',
    preset: 'creem',
    sends: (id) => [
      creem(id, 'checkout.completed', { ...checkout(id), order: order(id, 'onetime') }),
      creem(id, 'refund.created', back(id, '1', 'succeeded'), 2),
      creem(id, 'refund.created', back(id, '2', 'canceled'), 3),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    name: 'a dispute, whose end it does not send',
    preset: 'creem',
    sends: (id) => [
      creem(id, 'checkout.completed', { ...checkout(id), order: order(id, 'onetime') }),
      creem(
        id,
        'dispute.created',
        { id: `disp_${id}`, object: 'dispute', amount: 2900, currency: 'EUR', transaction: transaction(id) },
        2,
      ),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID'],
  },
  {
    name: 'a subscription is bought and cancelled: its payments name it where others name themselves, so a later month is only recorded',
    preset: 'creem',
    sends: (id) => {
      const subscription = { id: `sub_${id}`, object: 'subscription', ...metadata(id) };
      const paid = (name: string) => ({ ...subscription, status: 'active', last_transaction_id: `tran_${name}_${id}` });
      return [
        creem(id, 'checkout.completed', { ...checkout(id), order: order(id, 'recurring'), subscription }),
        creem(id, 'subscription.active', { ...subscription, status: 'active' }, 2),
        creem(id, 'subscription.paid', paid('1'), 3),
        creem(id, 'subscription.paid', paid('2'), 4),
        creem(id, 'subscription.canceled', { ...paid('2'), status: 'canceled' }, 5),
      ];
    },
    ends: ['completed', 'ENDED', 'PAID'],
  },
];

export const omiseAndCreemCases = lives([...ofOmise, ...ofCreem]);
