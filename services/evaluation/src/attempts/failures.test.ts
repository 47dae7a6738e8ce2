import { unavailable } from '@order-automation/contracts';
import { retryDelay, stepUnavailable } from './failures';

const delaysOf = (tries: number, error: unknown): number[] =>
  Array.from({ length: 200 }, () => retryDelay(tries, error));
const distinct = (delays: readonly number[]): number => new Set(delays).size;

test('events that failed together come back apart, within a quarter of the delay that doubles with each try', () => {
  for (const [tries, delay, part] of [
    [1, 1_000, 'audit'],
    [4, 8_000, 'shop'],
    [50, 30_000, 'audit'],
    [50, 10_000, 'shop'],
  ] as const) {
    const delays = delaysOf(tries, unavailable(part));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.75 * delay);
    expect(Math.max(...delays)).toBeLessThanOrEqual(delay);
    expect(distinct(delays)).toBeGreaterThan(100);
  }
});

test('they come back apart, and no sooner than the shop asked for, where it asks to wait', () => {
  const delays = delaysOf(1, stepUnavailable('WooCommerce asks to wait 20 s.', 'shop', 20_000));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(20_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(25_000);
  expect(distinct(delays)).toBeGreaterThan(100);
});
