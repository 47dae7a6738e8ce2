import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { orderCancelled, orderCompleted, orderFailed, orderOnHold, orderRefunded } from './entered-status';

describe.each([
  ['completed', orderCompleted],
  ['on-hold', orderOnHold],
  ['cancelled', orderCancelled],
  ['failed', orderFailed],
  ['refunded', orderRefunded],
] as const)('%s', (status, trigger) => {
  test('fires when an order enters it, being created in it included', () => {
    expect(fires(trigger, {}, shopChange({ from_status: 'processing', to_status: status }))).toBe(true);
    expect(fires(trigger, {}, shopChange({ from_status: null, to_status: status }))).toBe(true);
  });

  /** WooCommerce mended the same: https://github.com/woocommerce/woocommerce/issues/64739, https://github.com/woocommerce/woocommerce/pull/65121 */
  test('an order that is restored from the trash enters nothing', () => {
    expect(fires(trigger, {}, shopChange({ from_status: 'trash', to_status: status }))).toBe(false);
  });

  test('fires on no other status, and not because a gateway says something', () => {
    expect(fires(trigger, {}, shopChange({ from_status: status, to_status: 'processing' }))).toBe(false);
    expect(fires(trigger, {}, occurrence({ type: 'payment_completed' }))).toBe(false);
    expect(fires(trigger, {}, occurrence({ type: 'order_completed' }))).toBe(false);
    expect(fires(trigger, {}, occurrence({ type: 'order_cancelled' }))).toBe(false);
  });

  test('would fire for an order that is in it', () => {
    const inStatus = (of: string) => wouldFire(trigger, {}, facts({ context: context({ status: of }) }));
    expect(inStatus(status).would_fire).toBe(true);
    expect(inStatus('pending')).toMatchObject({
      would_fire: false,
      reason: expect.stringContaining('in status pending'),
    });
  });
});
