export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** What clocks on the wall show. */
type LocalTime = { readonly weekday: Weekday; readonly minutes: number };

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Day of the week and minutes since midnight at a moment, daylight saving included. `now` is in milliseconds since the epoch. */
export function localTime(now: number, timeZone: string): LocalTime {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const weekday = parts.get('weekday')?.toLowerCase().slice(0, 3) as Weekday;
  return { weekday, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

export const timeZoneField = (standard: string) => ({
  type: 'string',
  title: 'Time zone',
  description: `Name of a time zone, for example Europe/Berlin. ${standard}`,
  minLength: 1,
  maxLength: 60,
  examples: ['Europe/Berlin', 'UTC'],
});
