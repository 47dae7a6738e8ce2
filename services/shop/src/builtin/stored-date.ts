import { isTimeZone, localTimeText, type orderDateFields } from '@order-automation/contracts';

type OrderDateField = (typeof orderDateFields)[number];

const plain = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/;

/**
 * ISO 8601 UTC for the date of an order as somebody sends it: with a zone, else as `…_gmt`, else by the clocks of the time zone. What is no such
 * text is returned as it is, for the schema to refuse; undefined when the date is not there.
 */
export function storedDate(fields: Readonly<Record<string, unknown>>, name: OrderDateField, timeZone: string): unknown {
  const [local, gmt] = [name, `${name}_gmt`].map((field) => writtenDate(fields[field]));
  if (typeof gmt === 'string' && plain.test(gmt) && !(typeof local === 'string' && !plain.test(local)))
    return `${gmt}Z`;
  if (local === undefined) return gmt;
  return typeof local === 'string' && plain.test(local) ? instantOf(local, timeZone) : local;
}

/** A date as databases write it (`2026-01-02 03:04:05`, zeros or the year -1 for none), with an offset, or as PHP's `json_encode` writes the object of a date with its zone. */
function writtenDate(value: unknown): unknown {
  if (value === '' || value === false || (typeof value === 'string' && /^-?000/.test(value))) return null;
  if (typeof value === 'string') return inUtc(value.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T'));
  const { date, timezone } = Object(value) as { date?: unknown; timezone?: unknown };
  if (typeof date !== 'string' || typeof timezone !== 'string') return value;
  const local = date.trim().replace(' ', 'T');
  if (/^[+-]\d{2}:\d{2}$/.test(timezone)) return inUtc(`${local}${timezone}`);
  return plain.test(local) && isTimeZone(timezone) ? instantOf(local, timezone) : value;
}

function inUtc(text: string): string {
  const at = /T.*[+-]\d{2}:?\d{2}$/.test(text) && isOnCalendar(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

/** Whether the month has the day: Node.js reads 30 February as 2 March. */
function isOnCalendar(text: string): boolean {
  const day = Date.parse(text.slice(0, 10));
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10));
}

/**
 * The moment at which clocks of the time zone show this. An hour that comes twice is the first one; one that daylight saving skips is as much
 * later as the clocks were put forward. Text that names no time is returned as it is.
 */
function instantOf(local: string, timeZone: string): string {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall) || !isOnCalendar(local)) return local;
  const offsetAt = (ms: number): number => Date.parse(`${localTimeText(ms, timeZone)}Z`) - Math.floor(ms / 1000) * 1000;
  const day = 86_400_000;
  const candidates = [offsetAt(wall - day), offsetAt(wall + day)].map((offset) => wall - offset);
  const exact = candidates.filter((at) => at + offsetAt(at) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}
