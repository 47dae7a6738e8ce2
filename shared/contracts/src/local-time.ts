/** Whether the runtime knows a time zone of this name. Offsets such as +02:00 are none: they have no daylight saving. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** `2026-07-01T14:00:00` */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const digits = '2-digit' as const;
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** What clocks of the time zone show at a moment: `2026-07-01T16:00:00`. */
export function localTimeText(ms: number, timeZone: string): string {
  if (timeZone === 'UTC') return utcText(ms);
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}
