import { occurrence } from '../../test/fixtures';
import { fires } from '../../test/trigger-table';
import { subscriptionRenewal } from './subscription-renewal';

test.each([
  ['a renewal that was paid', {}, 'renewal_payment_completed', true],
  ['a subscription that was renewed', {}, 'subscription_renewed', true],
  ['a renewal that failed', {}, 'renewal_payment_failed', false],
  ['a renewal that failed, chosen', { outcomes: ['failed'] }, 'renewal_payment_failed', true],
  ['a renewal that was paid, not chosen', { outcomes: ['failed', 'pending'] }, 'renewal_payment_completed', false],
  ['a renewal in progress, chosen', { outcomes: ['processing'] }, 'renewal_payment_processing', true],
  ['a first payment', {}, 'payment_completed', false],
] as const)('%s', (_name, settings, type, expected) => {
  expect(fires(subscriptionRenewal, settings as object, occurrence({ type }))).toBe(expected);
});
