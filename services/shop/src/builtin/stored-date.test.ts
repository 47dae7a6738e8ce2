import { storedDate } from './stored-date';

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
  // decisions.md section 3: what is not valid is refused, not made into something else.
  ['of a day that is none', { date_created: '2026-02-29T10:00:00' }, 'Europe/Berlin', '2026-02-29T10:00:00'],
  ['of no day, with an offset', { date_created: '2026-04-31T10:00:00+02:00' }, 'UTC', '2026-04-31T10:00:00+02:00'],
  ['that is not there', {}, 'Europe/Berlin', undefined],
  ['as databases write it', { date_created: '2026-07-01 16:00:05' }, 'Europe/Berlin', '2026-07-01T14:00:05.000Z'],
  ['of the year before the first', { date_created: '-0001-11-30T00:00:00' }, 'UTC', null],
  ['of zeros', { date_created: '0000-00-00 00:00:00' }, 'UTC', null],
  ['with an offset', { date_created: '2026-07-01T16:00:05+05:30' }, 'UTC', '2026-07-01T10:30:05.000Z'],
  // `json_encode` of a DateTime, as `wp eval` prints an order's data: https://www.php.net/manual/en/class.datetime.php
  [
    'as PHP encodes one in a zone',
    { date_created: { date: '2026-07-01 16:00:05.000000', timezone_type: 3, timezone: 'America/New_York' } },
    'Europe/Berlin',
    '2026-07-01T20:00:05.000Z',
  ],
  [
    'as PHP encodes one with an offset',
    { date_created: { date: '2026-07-01 16:00:05.000000', timezone_type: 1, timezone: '+00:00' } },
    'Europe/Berlin',
    '2026-07-01T16:00:05.000Z',
  ],
  [
    'of a zone that is none',
    { date_created: { date: '2026-07-01 16:00:05', timezone: 'X' } },
    'UTC',
    { date: '2026-07-01 16:00:05', timezone: 'X' },
  ],
  ['that is empty', { date_created: null, date_created_gmt: null }, 'Europe/Berlin', null],
])('a date %s', (_, fields, zone, expected) => {
  expect(storedDate(fields, 'date_created', zone)).toEqual(expected);
});
