import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { webhookEvent } from './webhook-event';

const failedCharge = occurrence({ type: 'payment_failed', event_type: 'payment.card.charge_failed' });
const tap = occurrence({ type: null, event_type: 'door.Opened', gateway: 'generic' });
// https://razorpay.com/docs/webhooks/payloads/payments/
const mapped = { event_type: 'payment_completed', sent_as: 'payment.captured', gateway: 'generic' } as const;
const captured = occurrence({ type: 'payment_completed', ...mapped });
const refund = occurrence({ ...mapped, type: 'payment_refunded', sent_as: 'refund.created' });

test.each([
  ['any event', {}, failedCharge, true],
  ['any event, also one of no generic type', {}, tap, true],
  ['by its generic type', { event_types: ['payment_failed'] }, failedCharge, true],
  ['by its event type', { event_types: ['payment.card.charge_failed'] }, failedCharge, true],
  ['by the id of the gateway', { event_types: ['charge_failed'] }, failedCharge, true],
  ['by the name that the gateway gives it', { event_types: ['charge.failed'] }, failedCharge, true],
  ['another event', { event_types: ['charge_succeeded'] }, failedCharge, false],
  ['a type that a sender made up', { event_types: ['door.Opened'] }, tap, true],
  ['a type that a sender made up, in any case', { event_types: ['door.opened'] }, tap, true],
  [
    'by the name of the sender, whose connection gives it a type',
    { event_types: ['payment.captured'] },
    captured,
    true,
  ],
  ['by that type', { event_types: ['payment_completed'] }, captured, true],
  ['another name of the sender', { event_types: ['payment.authorized'] }, captured, false],
  ['a name that the card gateway has too', { event_types: ['refund.created'], gateways: ['generic'] }, refund, true],
  ['that name of the card gateway', { event_types: ['refund.created'], gateways: ['gateway_card'] }, refund, false],
  ['of the gateway', { gateways: ['gateway_card'] }, failedCharge, true],
  ['of a connection', { gateways: ['generic/razorpay'] }, { ...captured, connection: 'razorpay' }, true],
  ['of another connection', { gateways: ['generic/razorpay'] }, { ...captured, connection: 'stripe' }, false],
  ['of any connection', { gateways: ['generic'] }, { ...captured, connection: 'razorpay' }, true],
  ['of another gateway', { event_types: ['payment_failed'], gateways: ['generic'] }, failedCharge, false],
  ['a change of the shop', {}, shopChange({ to_status: 'failed' }), false],
])('%s', (_name, settings, on, expected) => {
  expect(fires(webhookEvent, settings, on)).toBe(expected);
});

test.each([
  ['CUSTOMER.DISPUTE.RESOLVED', 'payment.wallet.dispute_lost', true],
  ['customer.dispute.resolved', 'payment.wallet.dispute_won', true],
  ['payment.wallet.dispute_resolved', 'payment.wallet.dispute_lost', false],
  ['recurring_payment_profile_cancel', 'payment.wallet.recurring_payment_cancelled', true],
  ['subscr_payment', 'payment.wallet.renewal_payment_pending', true],
  ['subscr_eot', 'payment.wallet.subscription_expired', true],
  ['Canceled_Reversal', 'payment.wallet.canceled_reversal', true],
  ['adjustment', 'adjustment', true],
])('the gateway’s own name %s hears of %s: %s', (name, event_type, expected) => {
  expect(fires(webhookEvent, { event_types: [name] }, occurrence({ type: null, event_type }))).toBe(expected);
});

test('each event type is stored in one form, once', () => {
  const event_types = [
    'charge.failed',
    'charge_failed',
    'payment.card.charge.failed',
    'PAYMENT.CAPTURE.COMPLETED',
    'payment_completed',
    'recurring_payment',
    'payment.wallet.trial_ended',
    'door.Opened',
  ];
  expect(webhookEvent.normalise?.({ event_types })).toEqual({
    event_types: [
      'payment.card.charge_failed',
      'payment.wallet.payment_completed',
      'payment_completed',
      'payment.wallet.recurring_payment',
      'payment.wallet.trial_ended',
      'door.Opened',
    ],
  });
});

test('would fire for any order', () => {
  const completed = facts({ context: context({ status: 'completed' }) });
  for (const settings of [{}, { event_types: ['charge.failed'] }, { gateways: ['gateway_card'] }])
    expect(wouldFire(webhookEvent, settings, completed).would_fire).toBe(true);
});
