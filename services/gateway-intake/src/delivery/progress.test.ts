import { idBound } from '@order-automation/contracts';
import { newProgress, reorderWindow } from './progress';

const start = Date.UTC(2026, 0, 1);
const quiet = 15_000;
/** An event that came so many milliseconds after the start. */
const event = (after: number): string => `${idBound('evt', start + Math.floor(after))}0000000000000000`;

test('what came before this process may be lost at any time, and so may everything until something is done', () => {
  const progress = newProgress(start, quiet);
  expect(progress.mayBeLost(event(1_000), start + 2_000)).toBe(true);
  progress.done([event(10)], start + 2_000);
  expect(progress.mayBeLost(event(1_000), start + 2_000)).toBe(false);
  expect(progress.mayBeLost(event(-1), start + 2_000)).toBe(true);
});

test('an event waits for its turn as long as older ones are being done', () => {
  const progress = newProgress(start, quiet);
  for (let at = 1_000; at <= 120_000; at += 1_000) {
    progress.done([event(at / 3)], start + at);
    expect(progress.mayBeLost(event(at / 3 + 100), start + at)).toBe(false);
  }
  expect(progress.mayBeLost(event(50_000), start + 120_000 + quiet)).toBe(true);
});

test('an event that others have overtaken may be lost, once it is no longer in anybody’s hand', () => {
  const progress = newProgress(start, quiet);
  const lost = event(500);
  const logged: number[] = [];
  for (let at = 1_000; at <= 20_000; at += 1_000) {
    progress.done([event(at), event(at - 900)], start + at);
    if (progress.mayBeLost(lost, start + at)) logged.push(at);
  }
  expect(logged[0]).toBeGreaterThanOrEqual(500 + reorderWindow);
  expect(logged[0]).toBeLessThanOrEqual(1_000 + 3 * reorderWindow);
});

test('silence makes everything suspicious again', () => {
  const progress = newProgress(start, quiet);
  progress.done([event(100)], start + 1_000);
  expect(progress.mayBeLost(event(200), start + 1_000 + quiet - 1)).toBe(false);
  expect(progress.mayBeLost(event(200), start + 1_000 + quiet)).toBe(true);
});
