import { type GenericType, genericTypes } from '@order-automation/contracts';
import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { disputeOpened, paymentComplete, paymentFailed, refundCreated, subscriptionCancelled } from './event-trigger';

test.each([
  ['payment_complete', paymentComplete, ['payment_completed']],
  ['payment_failed', paymentFailed, ['payment_failed', 'payment_denied']],
  ['subscription_cancelled', subscriptionCancelled, ['subscription_cancelled']],
  ['refund_created', refundCreated, ['payment_refunded']],
  ['dispute_opened', disputeOpened, ['dispute_opened']],
] as [string, typeof paymentComplete, GenericType[]][])(
  '%s fires on its events and no others',
  (id, trigger, types) => {
    expect(trigger).toMatchObject({ id, edition: 'extended' });
    const heard = genericTypes.filter((type) => fires(trigger, {}, occurrence({ type })));
    expect(heard.sort()).toEqual(types.sort());
    expect(fires(trigger, {}, occurrence({ type: null }))).toBe(false);
    expect(fires(trigger, {}, shopChange({ to_status: 'failed' }))).toBe(false);
  },
);

test('payment_complete fires in any status of the order', () => {
  const cancelled = facts({ context: context({ status: 'cancelled' }) });
  expect(fires(paymentComplete, {}, occurrence(), cancelled)).toBe(true);
  expect(wouldFire(paymentComplete, {}, cancelled)).toMatchObject({ would_fire: true });
});
