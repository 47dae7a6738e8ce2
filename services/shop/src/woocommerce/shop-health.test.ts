import type { Telemetry } from '../telemetry';
import { shopHealth } from './shop-health';

/** WordPress answers 503 with `Retry-After: 600` from the moment on in which an update begins (wp_maintenance); requests that run already are answered. */
test('a shop that asks to wait is away until then, whatever answers to earlier requests still come', () => {
  let now = Date.parse('2026-12-01T00:00:00Z');
  const told: string[] = [];
  const telemetry = {
    shopLost: () => told.push('lost'),
    shopReached: () => told.push('reached'),
  } as unknown as Telemetry;
  const health = shopHealth(
    { now: () => now },
    telemetry,
    async () => undefined,
    () => 0,
  );
  health.answered();
  const reason = 'WooCommerce asks to wait (503).';
  health.failed(
    { kind: 'busy', outcome: 'rate_limited', reason, status: 503, retryAfter: '600', unsent: true, unsettled: 0 },
    false,
  );
  now += 40;
  health.answered();
  expect(health.problems()).toEqual(['WooCommerce asks to wait 15 s.']);
  now += 15_000;
  health.answered();
  expect(health.problems()).toEqual([]);
  expect(told).toEqual(['reached', 'lost', 'reached']);
  health.close();
});
