import { context, facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { nextRun } from '../schedule-time';
import { schedule } from './schedule';

const now = Date.parse('2026-01-15T12:00:00Z');
const due = shopChange({ type: 'schedule' });
const order = (status: string, status_since?: string) =>
  facts({
    now,
    context: context({ status, ...(status_since ? { status_since } : {}), date_modified: '2026-01-15T11:00:00Z' }),
  });
const daily = { cron: '0 9 * * *' };

test.each([
  ['any order', daily, order('pending'), true],
  ['in one of the statuses', { ...daily, order_statuses: ['wc-on-hold', 'pending'] }, order('pending'), true],
  ['in another status', { ...daily, order_statuses: ['on-hold'] }, order('pending'), false],
  ['for long enough', { ...daily, older_than_minutes: 90 }, order('pending', '2026-01-15T10:30:00Z'), true],
  ['a minute too short', { ...daily, older_than_minutes: 91 }, order('pending', '2026-01-15T10:30:00Z'), false],
  ['unknown since when: since it was last changed', { ...daily, older_than_minutes: 61 }, order('pending'), false],
])('%s', (_name, settings, of, expected) => {
  expect(fires(schedule, settings, due, of)).toBe(expected);
  expect(wouldFire(schedule, settings, of).would_fire).toBe(expected);
});

test('nothing but its own time fires it', () => {
  expect(fires(schedule, daily, occurrence(), order('pending'))).toBe(false);
  expect(fires(schedule, daily, { ...due, rule_id: 3 }, order('pending'))).toBe(true);
  expect(fires(schedule, daily, { ...due, rule_id: 4 }, order('pending'))).toBe(false);
});

test.each([
  [{ cron: 'every day' }, ['cron']],
  [{ cron: '0 9 * *' }, ['cron']],
  [{ cron: '* * * * * *' }, ['cron']],
  [{ cron: '61 9 * * *' }, ['cron']],
  [{ cron: '0 0 30 2 *' }, ['cron']],
  [{ cron: '@daily' }, []],
  [{ cron: '*/15 9-17 * * mon-fri' }, []],
  [{ ...daily, timezone: 'Europe/Nowhere' }, ['timezone']],
  [{ ...daily, timezone: 'America/Sao_Paulo' }, []],
])('%j is refused for %j', (settings, paths) => {
  expect(schedule.violations?.(settings).map(({ path }) => path)).toEqual(paths);
});

test.each([
  ['in the time zone of the shop', daily, 'Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-16T08:00:00Z'],
  ['in its own', { ...daily, timezone: 'Asia/Tokyo' }, 'UTC', '2026-01-15T12:00:00Z', '2026-01-16T00:00:00Z'],
  ['summer time skips it', { cron: '30 2 * * *' }, 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
  ['winter time has it twice', { cron: '30 2 * * *' }, 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  // Vixie cron, cron(8): jobs that fall into the repeated time are not run again, unless `*` stands for the hour or the minute.
  [
    'of several hours one comes twice',
    { cron: '0 2,14 * * *' },
    'Europe/Berlin',
    '2026-10-25T00:00:00Z',
    '2026-10-25T13:00:00Z',
  ],
  [
    'of several hours one is skipped',
    { cron: '30 2,14 * * *' },
    'Europe/Berlin',
    '2026-03-28T13:30:00Z',
    '2026-03-29T01:00:00Z',
  ],
  ['every hour, one twice', { cron: '0 * * * *' }, 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
])('next time %s', (_name, settings, timeZone, after, expected) => {
  expect(new Date(nextRun(settings, Date.parse(after), timeZone) ?? 0).toISOString()).toBe(
    `${expected.slice(0, 19)}.000Z`,
  );
});

test.each([
  ['2026-01-10T10:30:00Z', 4_320, 'for 5 days', 'for more than 3 days'],
  // As the editor says it, in whole hours; an order that came just now was not there for the minute that is too short.
  ['2026-01-14T12:00:30Z', 2_160, 'for 23 hours', 'for more than 36 hours'],
  ['2026-01-15T11:59:30Z', 1, 'for less than a minute', 'for more than 1 minute'],
])('since %s, of %d minutes: it says how long as people do', (at, older_than_minutes, age, wanted) => {
  const { reason } = wouldFire(schedule, { ...daily, older_than_minutes }, order('pending', at));
  expect(reason).toBe(
    `the order has been in status pending ${age}; the trigger fires at "0 9 * * *" for each order that is in any status ${wanted}`,
  );
});
