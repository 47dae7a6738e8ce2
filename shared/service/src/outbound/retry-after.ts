/** Milliseconds that a Retry-After asks for (RFC 9110: seconds or a date); null where it says neither. */
export function retryAfterOf(header: unknown, now: number): number | null {
  const wanted = Number(header) * 1000 || Date.parse(String(header)) - now;
  return Number.isFinite(wanted) ? Math.max(wanted, 0) : null;
}
