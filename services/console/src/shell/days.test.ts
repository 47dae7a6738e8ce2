import { dayBounds, dayOf } from './days';

test.each([
  ['2026-02-01', 'UTC', '2026-02-01T00:00:00.000Z', '2026-02-01T23:59:59.999Z'],
  ['2026-02-01', 'Europe/Berlin', '2026-01-31T23:00:00.000Z', '2026-02-01T22:59:59.999Z'],
  // Clocks go forward: the day has 23 hours.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z', '2026-07-02T03:59:59.999Z'],
])('%s in %s lasts from %s to %s', (day, zone, from, to) => {
  expect(dayBounds(day, zone)).toEqual({ from, to });
  expect([dayOf(from, zone), dayOf(to, zone)]).toEqual([day, day]);
});

test('what is no day has no bounds', () => {
  expect(dayBounds('', 'UTC')).toEqual({ from: '', to: '' });
  expect(dayOf(undefined, 'UTC')).toBe('');
  expect(dayOf('tomorrow', 'UTC')).toBe('');
});
