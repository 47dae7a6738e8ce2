import { shownOrder } from './shown-order';

const at = (created: string) => ({
  date_created: created,
  date_modified: created,
  date_paid: null,
  date_completed: null,
});
const shown = (created: string, zone: string) => shownOrder(at(created) as never, zone);

test.each([
  ['2026-07-01T14:00:05.678Z', 'UTC', '2026-07-01T14:00:05'],
  ['2026-07-01T14:00:05.678Z', 'Europe/Berlin', '2026-07-01T16:00:05'],
  ['2026-12-31T23:30:00.000Z', 'Europe/Berlin', '2027-01-01T00:30:00'],
  ['2026-07-01T14:00:00.000Z', 'Asia/Kolkata', '2026-07-01T19:30:00'],
  ['2026-07-01T02:00:00.000Z', 'America/New_York', '2026-06-30T22:00:00'],
])('%s in %s is %s', (utc, zone, local) => {
  expect(shown(utc, zone)).toMatchObject({
    date_created: local,
    date_created_gmt: utc.slice(0, 19),
    date_paid: null,
    date_paid_gmt: null,
  });
});
