import { tellingEntry } from './why';

const entry = (event_type: string, summary: string, is_test = false) => ({ event_type, summary, is_test });
const completed = entry('process_completed', 'none matched; nothing was changed.');
const failed = entry('rule_evaluation', 'Rule "A" did not match: order total is 17.375');
const done = entry('action_executed', 'Status changed');
const moved = entry('action_executed', 'Order 42: Complete (rule "A"): Status changed from pending to completed.');
const partial = entry('payment_partial', 'Order 42: 10.00 of 32.00 EUR is paid.');
const late = entry('late_payment', 'A payment completed while the order is cancelled.');
const changed = entry('order_status_changed', 'Order 42 went from pending to completed.');
const test = entry('process_completed', 'Test: none matched.', true);

it.each([
  [[completed, failed], failed],
  [[completed, done, failed], done],
  [[completed, done, late], late],
  [[done, moved, failed], moved],
  [[moved, partial], moved],
  [[partial, moved], partial],
  [[completed], completed],
  [[changed], changed],
  [[test, changed], changed],
  [[test], test],
  [[], undefined],
])('the entry is what tells most, never nothing where there is one: %#', (entries, expected) => {
  expect(tellingEntry(entries)).toBe(expected);
});
