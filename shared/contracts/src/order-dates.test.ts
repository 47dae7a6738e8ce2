import { type OrderDateField, shownOrder, storedDate } from './order-dates';

const at = (created: string) => ({
  date_created: created,
  date_modified: created,
  date_paid: null,
  date_completed: null,
});
const shown = (created: string, zone: string) => shownOrder(at(created) as never, zone);
const stored = (fields: Record<string, unknown>, zone: string, field: OrderDateField = 'date_created') =>
  storedDate(fields, field, zone);

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

test.each<[string, Record<string, unknown>, string, unknown]>([
  ['by the clocks of the shop', { date_created: '2026-07-01T16:00:05' }, 'Europe/Berlin', '2026-07-01T14:00:05.000Z'],
  ['in winter', { date_created: '2026-01-01T00:30:00' }, 'Europe/Berlin', '2025-12-31T23:30:00.000Z'],
  [
    'as GMT',
    { date_created: '2026-07-01T16:00:05', date_created_gmt: '2026-07-01T01:00:00' },
    'Europe/Berlin',
    '2026-07-01T01:00:00Z',
  ],
  [
    'with its zone',
    { date_created: '2026-07-01T16:00:05Z', date_created_gmt: '2026-07-01T01:00:00' },
    'Europe/Berlin',
    '2026-07-01T16:00:05Z',
  ],
  [
    'in the hour that comes twice',
    { date_created: '2026-10-25T02:30:00' },
    'Europe/Berlin',
    '2026-10-25T00:30:00.000Z',
  ],
  ['in the hour that is skipped', { date_created: '2026-03-29T02:30:00' }, 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['that is none', { date_created: 'yesterday' }, 'Europe/Berlin', 'yesterday'],
  ['that is not there', {}, 'Europe/Berlin', undefined],
  ['that is empty', { date_created: null, date_created_gmt: null }, 'Europe/Berlin', null],
])('a date %s', (_, fields, zone, expected) => {
  expect(stored(fields, zone)).toEqual(expected);
});
