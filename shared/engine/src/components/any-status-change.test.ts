import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { anyStatusChange } from './any-status-change';

const change = (from_status: string | null, to_status: string) => shopChange({ from_status, to_status });

test.each([
  ['nothing chosen', {}, change('pending', 'processing'), true],
  ['empty lists', { from: [], to: [] }, change('pending', 'processing'), true],
  ['from one of them', { from: ['pending', 'on-hold'] }, change('on-hold', 'processing'), true],
  ['from another', { from: ['pending'] }, change('on-hold', 'processing'), false],
  ['to one of them', { to: ['processing'] }, change('on-hold', 'processing'), true],
  ['to another', { to: ['completed'] }, change('on-hold', 'processing'), false],
  ['from and to', { from: ['pending'], to: ['wc-processing'] }, change('pending', 'processing'), true],
  ['created, from any', {}, change(null, 'pending'), true],
  ['created, from one of them', { from: ['pending'] }, change(null, 'processing'), false],
  ['a payment', {}, occurrence(), false],
])('%s', (_name, settings, on, expected) => {
  expect(fires(anyStatusChange, settings, on)).toBe(expected);
});

test('would fire where the order is in a status that it enters', () => {
  const processing = facts({ context: context({ status: 'processing' }) });
  expect(wouldFire(anyStatusChange, { from: ['pending'], to: ['processing'] }, processing).would_fire).toBe(true);
  expect(wouldFire(anyStatusChange, { from: ['pending', 'processing'] }, processing).would_fire).toBe(true);
  // No order goes from a status to the same: decisions.md section 8, what a test says is what production does.
  expect(wouldFire(anyStatusChange, { from: ['wc-processing'] }, processing)).toMatchObject({ would_fire: false });
  expect(wouldFire(anyStatusChange, { to: ['completed'] }, processing)).toEqual({
    id: 'any_status_change',
    would_fire: false,
    reason: 'the order is in status processing; the trigger fires when an order goes from any status to completed',
  });
});

test('is stored without prefixes', () => {
  expect(anyStatusChange.normalise?.({ from: ['wc-pending'], to: [] })).toEqual({ from: ['pending'], to: [] });
});
