import { waitFor } from '@order-automation/testing';
import { type FieldCase, first, intent } from './case';
import type { World } from './world';

/** As a payment plugin does that hears of the payment before us; a rule completes the order. */
async function movedByPlugin(world: World, id: number): Promise<void> {
  await world.save(id, { status: 'processing' });
  await waitFor(async () => (await world.ending(id))[0] === 'completed');
}

/** Drafts, trash, kinds without an order, and what shops export. */
export const shopCases: readonly FieldCase[] = [
  {
    name: 'a payment for a draft counts at once, and once',
    orders: first({ status: 'checkout-draft' }),
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_dr_${id}`));
      await world.save(id, { status: 'pending' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // process_payment_intent_success(), https://github.com/woocommerce/woocommerce-gateway-stripe/blob/develop/includes/class-wc-stripe-webhook-handler.php
    name: 'the payment plugin of the shop moves the order first: the payment, reported afterwards, is done and alarms nobody',
    orders: first({ status: 'pending' }),
    happens: async (world, id) => {
      await movedByPlugin(world, id);
      return world.card('payment_intent.succeeded', intent(id, `pi_pm_${id}`));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    untold: ['late_payment'],
  },
  {
    name: 'the payment plugin of the shop moves the order first: a second payment of it alarms somebody',
    orders: first({ status: 'pending' }),
    happens: async (world, id) => {
      await movedByPlugin(world, id);
      await world.card('payment_intent.succeeded', intent(id, `pi_p1_${id}`));
      return world.card('payment_intent.succeeded', intent(id, `pi_p2_${id}`));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['late_payment'],
  },
  {
    // A clerk may give an order any status: https://woocommerce.com/document/managing-orders/ ("Order statuses")
    name: 'an order that its payment has completed, and that a person opens and moves again, is moved on once more',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_ro_${id}`));
      await world.save(id, { status: 'pending' });
      await world.save(id, { status: 'processing' });
      await waitFor(async () => (await world.ending(id)).length > 2, { describe: 'the second time' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'PAID'] }),
  },
  {
    name: 'the payment plugin of the shop completes an order of downloads first: its own payment, reported afterwards, alarms nobody',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_dl_${id}` }],
    happens: async (world, id) => {
      const entries = await world.card('payment_intent.succeeded', intent(id, `pi_dl_${id}`));
      expect(entries.map(({ status }) => status)).not.toContain('warning');
      return entries;
    },
    ends: (id) => ({ [id]: ['completed'] }),
    told: ['late_payment'],
  },
  {
    name: 'an order in the trash is moved by nothing',
    orders: first({ status: 'trash' }),
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_tr_${id}`)),
    ends: (id) => ({ [id]: ['trash'] }),
    told: ['late_payment'],
  },
  ...[
    'VAULT.PAYMENT-TOKEN.CREATED',
    'CATALOG.PRODUCT.CREATED',
    'BILLING.PLAN.CREATED',
    'MERCHANT.ONBOARDING.COMPLETED',
    // `sender_item_id`, developer.paypal.com/docs/api/payments.payouts-batch/v1
    'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
  ].map(
    (type): FieldCase => ({
      name: `${type} names no order and waits for none`,
      happens: async (world, id) => {
        const payout_item = { sender_item_id: String(id) };
        const entries = await world.wallet(type, 'payment_token', { id: `V${type}${id}`, name: 'x', payout_item });
        expect(entries.map(({ status }) => status)).not.toContain('warning');
        expect(entries.map(({ event_type }) => event_type)).not.toContain('event_waiting');
        return entries;
      },
      ends: (id) => ({ [id]: ['pending'] }),
      told: ['process_completed'],
    }),
  ),
  {
    name: 'field names with dots and dollars, halves, many rows, long notes',
    orders: (id) => [
      {
        id,
        customer_note: 'x'.repeat(11_000),
        meta_data: Array.from({ length: 1_200 }, (_, at) => ({ key: at < 800 ? '_same' : `_k${at}`, value: `v${at}` })),
        line_items: [
          {
            id: 1,
            name: 'Cheese',
            product_id: 1,
            quantity: 0.5,
            total: '49.00',
            meta_data: [{ key: 'gravity', value: { '1.3': 'Ada', '$5.1': 'x' } }],
          },
        ],
      },
    ],
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_odd_${id}`)),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];
