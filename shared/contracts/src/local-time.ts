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

const two = '2-digit';
const whole = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter = formatters.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...whole });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** What clocks of the time zone show at a moment: `2026-07-01T16:00:00`. How a language writes a date may change; its parts do not. */
export function localTimeText(ms: number, timeZone: string): string {
  if (timeZone === 'UTC') return utcText(ms);
  const parts = formatterOf(timeZone).formatToParts(ms);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}
