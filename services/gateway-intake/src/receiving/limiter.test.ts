import { createLimiter } from './limiter';

const now = 1_760_000_000_000;

test('an address has its burst, then its rate, and nobody else’s', () => {
  const limiter = createLimiter({ perSecond: 50, burst: 500 });
  const taken = (address: string, at: number, count: number): number =>
    Array.from({ length: count }, () => limiter.take(address, at)).filter(Boolean).length;
  expect(taken('192.0.2.1', now, 600)).toBe(500);
  expect(taken('192.0.2.2', now, 10)).toBe(10);
  expect(taken('192.0.2.1', now + 1_000, 100)).toBe(50);
  expect(taken('192.0.2.1', now + 60_000, 1_000)).toBe(500);
  expect(limiter.refused()).toEqual({ webhooks: 650, addresses: 1 });
  expect(limiter.refused()).toEqual({ webhooks: 0, addresses: 0 });
});

test('addresses of one IPv6 network share one bucket', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 });
  expect(limiter.take('2001:db8:1:2:3:4:5:6', now)).toBe(true);
  expect(limiter.take('2001:db8:1:2::9', now)).toBe(false);
  expect(limiter.take('2001:db8:1:3::9', now)).toBe(true);
  expect(limiter.take('::1', now)).toBe(true);
  expect(limiter.take('::2', now)).toBe(false);
});
