import { isTimeZone, localTimeText, type Violation } from '@order-automation/contracts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** What clocks on the wall show. */
type LocalTime = { readonly weekday: Weekday; readonly minutes: number };

/** Day of the week and minutes since midnight at a moment, daylight saving included. `now` is in milliseconds since the epoch. */
export function localTime(now: number, timeZone: string): LocalTime {
  const local = new Date(`${localTimeText(now, timeZone)}Z`);
  const weekday = weekdays[(local.getUTCDay() + 6) % 7] ?? 'mon';
  return { weekday, minutes: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

/** What is wrong with the setting that `timeZoneField` describes. */
export const timeZoneViolations = (timezone: string | undefined): Violation[] =>
  timezone === undefined || isTimeZone(timezone)
    ? []
    : [{ path: 'timezone', message: 'is no time zone; write it as Europe/Berlin' }];

export const timeZoneField = {
  type: 'string',
  title: 'Time zone',
  description: "Name of a time zone, for example Europe/Berlin. Without one, the shop's.",
  minLength: 1,
  maxLength: 60,
  examples: ['Europe/Berlin', 'UTC'],
};
