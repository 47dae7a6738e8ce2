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

/** Dates in Swedish are those of ISO 8601. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** What clocks of the time zone show at a moment: `2026-07-01T16:00:00`. */
export const localTimeText = (ms: number, timeZone: string): string =>
  timeZone === 'UTC' ? utcText(ms) : formatterOf(timeZone).format(ms).replace(' ', 'T');
