import { charge, type FieldCase, intent, now } from './case';

const refund = (id: number, name: string, refunded: string, amount: number) => ({
  id: `re_${refunded}_${id}`,
  object: 'refund',
  payment_intent: `pi_${name}_${id}`,
  charge: `ch_${name}_${id}`,
  amount,
  currency: 'usd',
  status: 'succeeded',
  metadata: {},
});
const authorised = (id: number, name: string) => charge(id, name, 4900, { captured: false, amount_captured: 0 });

/**
 * What was authorised and not captured: "A Refund object representing the cancellation or capture reversal will no longer be created. It won't be present in
 * any webhook events", docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow. Up to that version it is.
 */
export const releaseCases: readonly FieldCase[] = [
  {
    name: 'card: the refund object of an authorisation that was cancelled is no refund',
    orders: (id) => [{ id, status: 'on-hold', transaction_id: `ch_rn_${id}` }],
    happens: async (world, id) => {
      await world.card('charge.succeeded', authorised(id, 'rn'), now - 90);
      await world.card('payment_intent.canceled', intent(id, `pi_rn_${id}`, { status: 'canceled' }), now - 30);
      const entries = await world.card('refund.created', refund(id, 'rn', 'rn', 4900), now - 30);
      expect(entries.map(({ summary }) => summary).at(-1)).toMatch(
        /; it gives back nothing that was paid, so it counts as no refund\.$/,
      );
    },
    ends: (id) => ({ [id]: ['on-hold', 'CANCELLED'] }),
  },
  {
    name: 'card: the refund object of an authorisation that is being cancelled is no refund',
    orders: (id) => [{ id, status: 'on-hold', transaction_id: `ch_rb_${id}` }],
    happens: async (world, id) => {
      await world.card('charge.succeeded', authorised(id, 'rb'), now - 90);
      await world.card('refund.created', refund(id, 'rb', 'rb', 4900), now - 30);
      await world.card('payment_intent.canceled', intent(id, `pi_rb_${id}`, { status: 'canceled' }), now - 30);
    },
    ends: (id) => ({ [id]: ['on-hold', 'CANCELLED'] }),
  },
  {
    name: 'card: the rest of an authorisation is let go, and as much is given back a day later',
    orders: (id) => [{ id, total: '30.00' }],
    happens: async (world, id) => {
      const part = charge(id, 'rp', 4900, { amount_captured: 3000, amount_refunded: 1900 });
      await world.card('charge.succeeded', authorised(id, 'rp'), now - 90_000);
      await world.card('charge.captured', part, now - 86_400);
      await world.card('refund.created', refund(id, 'rp', 'released', 1900), now - 86_399);
      await world.card('refund.created', refund(id, 'rp', 'given', 1900), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // "`amount_refunded` won't be updated by these actions", the same page.
    name: 'card: as much is given back as was let go, in a version that keeps the two apart',
    orders: (id) => [{ id, total: '30.00' }],
    happens: async (world, id) => {
      const version = { api_version: '2025-09-30.clover' };
      const part = { amount_captured: 3000, amount_refunded: 0 };
      await world.card('charge.captured', charge(id, 'rv', 4900, part), now - 90, version);
      return world.card('charge.refunded', charge(id, 'rv', 4900, { ...part, amount_refunded: 1900 }), now, version);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // No order of delivery is promised: docs.stripe.com/webhooks#event-ordering
    name: 'card: a refund that is reported before the capture, in a version that makes none of what is let go',
    happens: async (world, id) => {
      const version = { api_version: '2025-09-30.clover' };
      await world.card('charge.succeeded', authorised(id, 'ro'), now - 90, version);
      await world.card('refund.created', refund(id, 'ro', 'ro', 900), now - 30, version);
      return world.card('charge.captured', charge(id, 'ro', 4900), now - 60, version);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    name: 'card: an authorisation that the shop itself has captured is given back',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_rs_${id}` }],
    happens: async (world, id) => {
      await world.card('charge.succeeded', authorised(id, 'rs'), now - 90);
      return world.card('refund.created', refund(id, 'rs', 'rs', 900), now);
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND'] }),
  },
];
