import { BusError } from '@order-automation/bus';
import { failedEntry } from './schedule-runs';

const run = { rule_id: 5, at: 0, process_id: 'proc_1', cursor: { status: 0, page: 1 } };
const summaryOf = (over: Partial<typeof run> | { cursor: null }, error: Error, isGivenUp = false) =>
  failedEntry({ ...run, ...over }, 'Remind', error, isGivenUp, 60_000).summary;

test('what a shop owner reads of a schedule that failed', () => {
  const late = new BusError('timeout', 'shop.order.list.v1 was not answered within 10000 ms.');
  expect(summaryOf({}, late)).toBe(
    'The schedule of rule "Remind" could not be carried out. The shop did not answer in time. It goes on by itself as soon as that works.',
  );
  expect(summaryOf({ cursor: null }, new Error('The store is full'), true)).toBe(
    'The schedule of rule "Remind" could not be carried out. The reason: The store is full. It runs again at its next time.',
  );
});
