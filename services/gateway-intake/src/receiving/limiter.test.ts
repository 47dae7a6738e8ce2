import { createLimiter } from './limiter';

const now = 1_760_000_000_000;

test('an address has its burst, then its rate, and nobody else’s', () => {
  const limiter = createLimiter({ perSecond: 50, burst: 500 });
  const taken = (address: string, at: number, count: number): number =>
    Array.from({ length: count }, () => limiter.take(address, at)).filter(({ isWithin }) => isWithin).length;
  expect(taken('192.0.2.1', now, 600)).toBe(500);
  expect(taken('192.0.2.2', now, 10)).toBe(10);
  expect(taken('192.0.2.1', now + 1_000, 100)).toBe(50);
  expect(taken('192.0.2.1', now + 60_000, 1_000)).toBe(500);
});

test('what was proven gives its place back', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 2 });
  for (let number = 0; number < 10; number += 1) {
    expect(limiter.take('192.0.2.1', now).isWithin).toBe(true);
    limiter.giveBack('192.0.2.1');
  }
  const taken = [1, 2, 3].map(() => limiter.take('192.0.2.1', now).isWithin);
  expect(taken).toEqual([true, true, false]);
});

test('what was refused without a record is counted until it is asked for', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 });
  for (const address of ['192.0.2.1', '192.0.2.1', '2001:db8:1:2::9']) limiter.countRefused(address);
  expect(limiter.refused()).toEqual({ webhooks: 3, addresses: 2 });
  expect(limiter.refused()).toEqual({ webhooks: 0, addresses: 0 });
});

test('what is left, and the seconds until all of it is there again, are rounded so that nobody is refused who trusts them', () => {
  const limiter = createLimiter({ perSecond: 2, burst: 5 });
  const limits = [0, 0, 250, 500].map((later) => limiter.take('192.0.2.1', now + later).limit);
  expect(limits).toEqual([
    { quota: 5, remaining: 4, reset_seconds: 1 },
    { quota: 5, remaining: 3, reset_seconds: 1 },
    { quota: 5, remaining: 2, reset_seconds: 2 },
    { quota: 5, remaining: 2, reset_seconds: 2 },
  ]);
});

test('addresses of one IPv6 network share one bucket', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 });
  expect(limiter.take('2001:db8:1:2:3:4:5:6', now).isWithin).toBe(true);
  expect(limiter.take('2001:db8:1:2::9', now).isWithin).toBe(false);
  expect(limiter.take('2001:db8:1:3::9', now).isWithin).toBe(true);
  expect(limiter.take('::1', now).isWithin).toBe(true);
  expect(limiter.take('::2', now).isWithin).toBe(false);
});

test('a flood from more addresses than are kept does not give the latest ones a new burst', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 });
  const addresses = Array.from({ length: 20_000 }, (_, at) => `10.1.${at >> 8}.${at & 255}`);
  const withinOf = () => addresses.filter((address) => limiter.take(address, now).isWithin).length;
  expect(withinOf()).toBe(20_000);
  expect(withinOf()).toBe(0);
  expect(limiter.take('192.0.2.1', now).isWithin).toBe(true);
  expect(withinOf()).toBe(0);
  for (let at = 0; at < 50_000; at += 1) limiter.take(`10.2.${at >> 8}.${at & 255}`, now);
  expect(withinOf()).toBe(20_000);
});
