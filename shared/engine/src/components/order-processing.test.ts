import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { orderProcessing } from './order-processing';

const inStatus = (status: string) => facts({ context: context({ status }) });

test.each([
  ['enters processing', shopChange({ from_status: 'pending', to_status: 'processing' }), true],
  ['is created in processing', shopChange({ from_status: null, to_status: 'processing' }), true],
  // https://github.com/woocommerce/woocommerce/issues/64739
  ['is restored from the trash', shopChange({ from_status: 'trash', to_status: 'processing' }), false],
  ['leaves processing', shopChange({ from_status: 'processing', to_status: 'completed' }), false],
  ['a renewal is paid', occurrence({ type: 'renewal_payment_completed' }), false],
  ['a payment fails', occurrence({ type: 'payment_failed' }), false],
])('%s', (_name, on, expected) => {
  expect(fires(orderProcessing, {}, on)).toBe(expected);
});

test.each([
  ['pending', true],
  ['on-hold', true],
  ['failed', true],
  ['processing', true],
  ['completed', false],
  ['cancelled', false],
  ['refunded', false],
  ['trash', false],
])('a payment that completes for an order in %s', (status, expected) => {
  expect(fires(orderProcessing, {}, occurrence(), inStatus(status))).toBe(expected);
  expect(wouldFire(orderProcessing, {}, inStatus(status)).would_fire).toBe(expected);
});
