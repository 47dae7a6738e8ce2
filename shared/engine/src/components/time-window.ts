import { checked, condition } from '../component';
import { choiceList, settingsOf } from '../settings-schema';
import { localTime, timeZoneField, timeZoneViolations, type Weekday, weekdays } from '../time-zone';

export type TimeWindowSettings = { timezone?: string; days?: Weekday[]; from: string; to: string };

const day = 24 * 60;
const minute = 60_000;

const minutesOf = (clock: string): number => {
  const [hours = '0', minutes = '0'] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
};

const before = (weekday: Weekday): Weekday => weekdays[(weekdays.indexOf(weekday) + 6) % 7] as Weekday;

/** By what clocks on the wall show. A window past midnight (22:00 to 06:00) belongs to the day on which it begins; equal ends are the whole day. */
function isOpen({ days = [...weekdays], from, to }: TimeWindowSettings, now: number, timeZone: string): boolean {
  const { weekday, minutes } = localTime(now, timeZone);
  const start = minutesOf(from);
  const end = minutesOf(to);
  if (start < end) return days.includes(weekday) && minutes >= start && minutes < end;
  if (start === end) return days.includes(weekday);
  return (days.includes(weekday) && minutes >= start) || (days.includes(before(weekday)) && minutes < end);
}

/** Longest way to the next window: each day of the week, and one more for what daylight saving skips. */
const farthest = 9 * day;

/** The next minute in which the window is open. Clocks never jump by more than an hour, so the last hour before it is walked. */
function nextOpen(settings: TimeWindowSettings, now: number, timeZone: string): number | null {
  const start = settings.from === settings.to ? 0 : minutesOf(settings.from);
  let at = Math.floor(now / minute) * minute;
  while (at <= now + farthest * minute) {
    if (isOpen(settings, at, timeZone)) return at;
    const wait = (start - localTime(at, timeZone).minutes + day) % day;
    at += Math.max(1, wait - 60) * minute;
  }
  return null;
}

const clockField = (title: string, description: string, standard: string) => ({
  type: 'string',
  title,
  description,
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  'x-pattern-message': 'must be a time from 00:00 to 23:59, for example 09:00',
  default: standard,
});

const dayName = (weekday: Weekday): string => weekday.charAt(0).toUpperCase() + weekday.slice(1);

function text({ days = [], from, to }: TimeWindowSettings, zone: string): string {
  const on = days.length === 0 || days.length === weekdays.length ? 'every day' : days.map(dayName).join(', ');
  return `${on} from ${from} to ${to} (${zone})`;
}

/** `from` is included, `to` is not. */
export const timeWindow = condition<TimeWindowSettings>({
  id: 'time_window',
  label: 'Time window',
  description: 'Passes on the chosen days, such as the weekend, between two times of day.',
  edition: 'extended',
  schema: settingsOf(
    {
      timezone: timeZoneField,
      days: choiceList('Days', 'Days on which the window starts.', weekdays, { default: [...weekdays] }),
      from: clockField('From', 'Start, for example 09:00; included.', '09:00'),
      to: clockField(
        'To',
        'End, for example 17:00; not included. Earlier than the start means the next day; the same means the whole day.',
        '17:00',
      ),
    },
    ['from', 'to'],
  ),
  violations: ({ timezone }) => timeZoneViolations(timezone),
  compile:
    (settings) =>
    ({ now, timeZone }) => {
      const zone = settings.timezone ?? timeZone;
      const expected = text(settings, zone);
      const { weekday, minutes } = localTime(now, zone);
      const clock = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      const actual = `${dayName(weekday)} ${clock}`;
      return checked(isOpen(settings, now, zone), expected, actual, `it is ${actual}`);
    },
  nearest: (settings, { now, timeZone }) => {
    const zone = settings.timezone ?? timeZone;
    const to = nextOpen(settings, now, zone);
    return to === null ? null : [{ field: 'now', from: now, to }];
  },
});
