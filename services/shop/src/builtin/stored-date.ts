import { localTimeText, type orderDateFields } from '@order-automation/contracts';

type OrderDateField = (typeof orderDateFields)[number];

const plain = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/;

/**
 * ISO 8601 UTC for the date of an order as somebody sends it: with a zone, else as `…_gmt`, else by the clocks of the time zone. What is no such
 * text is returned as it is, for the schema to refuse; undefined when the date is not there.
 */
export function storedDate(fields: Readonly<Record<string, unknown>>, name: OrderDateField, timeZone: string): unknown {
  const local = fields[name];
  const gmt = fields[`${name}_gmt`];
  if (typeof gmt === 'string' && plain.test(gmt) && !(typeof local === 'string' && !plain.test(local)))
    return `${gmt}Z`;
  if (local === undefined) return gmt;
  return typeof local === 'string' && plain.test(local) ? instantOf(local, timeZone) : local;
}

/**
 * The moment at which clocks of the time zone show this. An hour that comes twice is the first one; one that daylight saving skips is as much
 * later as the clocks were put forward. Text that names no time is returned as it is.
 */
function instantOf(local: string, timeZone: string): string {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return local;
  const offsetAt = (ms: number): number => Date.parse(`${localTimeText(ms, timeZone)}Z`) - Math.floor(ms / 1000) * 1000;
  const day = 86_400_000;
  const candidates = [offsetAt(wall - day), offsetAt(wall + day)].map((offset) => wall - offset);
  const exact = candidates.filter((at) => at + offsetAt(at) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}
