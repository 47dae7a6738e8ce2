/** Days as calendars of a time zone count them. Pure. */

/** Milliseconds by which the clocks of the zone are ahead of UTC then. Dates in Swedish are those of ISO 8601. */
function offsetAt(instant: number, timeZone: string): number {
  const local = new Date(instant).toLocaleString('sv', { timeZone });
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000;
}

function instantOf(day: string, timeZone: string): number {
  const guess = Date.parse(`${day}T00:00:00.000Z`);
  const first = guess - offsetAt(guess, timeZone);
  return guess - offsetAt(first, timeZone);
}

/** The first and the last instant of a day such as `2026-03-29`, as ISO texts; empty for what is no day. */
export function dayBounds(day: string, timeZone: string): { from: string; to: string } {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start)) return { from: '', to: '' };
  const next = new Date(start + 86_400_000).toISOString().slice(0, 10);
  return {
    from: new Date(instantOf(day, timeZone)).toISOString(),
    to: new Date(instantOf(next, timeZone) - 1).toISOString(),
  };
}

/** The day of an instant, as a date input wants it; empty where there is none. */
export function dayOf(iso: string | undefined, timeZone: string): string {
  const at = Date.parse(iso ?? '');
  if (Number.isNaN(at)) return '';
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 10);
}
