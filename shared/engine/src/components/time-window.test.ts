import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts } from '../../test/fixtures';
import { type TimeWindowSettings, timeWindow } from './time-window';

const at = (now: string, timeZone = 'UTC') => facts({ now: Date.parse(now), timeZone });
const berlin = { timezone: 'Europe/Berlin' };
const office: TimeWindowSettings = { from: '09:00', to: '17:00' };
const night: TimeWindowSettings = { from: '22:00', to: '06:00' };

conditionTable(timeWindow, [
  ['in the window', office, at('2026-01-15T12:00:00Z'), true],
  ['the beginning is included', office, at('2026-01-15T09:00:00Z'), true],
  ['the end is not', office, at('2026-01-15T17:00:00Z'), false],
  ['a minute before', office, at('2026-01-15T08:59:59Z'), false],
  ["in the shop's time zone without one of its own", office, at('2026-01-15T08:30:00Z', 'Europe/Berlin'), true],
  ['in a time zone of its own', { ...berlin, ...office }, at('2026-01-15T08:30:00Z', 'UTC'), true],
  ['on one of the days (a Thursday)', { ...office, days: ['thu'] }, at('2026-01-15T12:00:00Z'), true],
  ['on another day', { ...office, days: ['fri', 'mon'] }, at('2026-01-15T12:00:00Z'), false],
  ['before midnight', night, at('2026-01-15T23:59:00Z'), true],
  ['midnight', night, at('2026-01-16T00:00:00Z'), true],
  ['after midnight it is still the day before', { ...night, days: ['thu'] }, at('2026-01-16T05:59:00Z'), true],
  ['after midnight of another day', { ...night, days: ['fri'] }, at('2026-01-16T05:59:00Z'), false],
  ['the same ends are the whole day', { from: '00:00', to: '00:00', days: ['thu'] }, at('2026-01-15T00:00:00Z'), true],
  ['the whole of another day', { from: '00:00', to: '00:00', days: ['fri'] }, at('2026-01-15T23:59:00Z'), false],
  ['summer begins: 02:30 becomes 03:30', { ...berlin, from: '03:00', to: '04:00' }, at('2026-03-29T01:30:00Z'), true],
  [
    'an hour that summer skips',
    { ...berlin, from: '02:00', to: '03:00', days: ['sun'] },
    at('2026-03-29T00:59:00Z'),
    false,
  ],
  ['summer ends: the first 02:30', { ...berlin, from: '02:00', to: '03:00' }, at('2026-10-25T00:30:00Z'), true],
  ['summer ends: the second 02:30', { ...berlin, from: '02:00', to: '03:00' }, at('2026-10-25T01:30:00Z'), true],
  [
    'a time zone with half an hour',
    { timezone: 'Asia/Kolkata', from: '09:00', to: '09:01' },
    at('2026-01-15T03:30:00Z'),
    true,
  ],
]);
refusesSettings(timeWindow, [
  {},
  { from: '09:00' },
  { from: '9:00', to: '17:00' },
  { from: '09:00', to: '24:00' },
  { ...office, days: [] },
  { ...office, days: ['monday'] },
  { ...office, timezone: 'Mars/Olympus' },
  { ...office, timezone: '+01:00' },
]);

// docs/guide/why.md, question 2: `changes` is the smallest change after which the rule would run. The whole day begins at midnight.
test('the next whole day begins at midnight, whatever time both ends are', () => {
  const settings: TimeWindowSettings = { from: '22:00', to: '22:00', days: ['sat'] };
  const midnight = Date.parse('2026-01-17T00:00:00Z');
  expect(timeWindow.nearest(settings, at('2026-01-15T12:00:00Z'))).toMatchObject([{ field: 'now', to: midnight }]);
});
