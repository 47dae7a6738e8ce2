export type Backoff = {
  /** Milliseconds before the second try. */
  readonly first: number;
  /** Longest delay in milliseconds. */
  readonly longest: number;
};

export const defaultBackoff: Backoff = { first: 100, longest: 30_000 };

/** Milliseconds to wait after so many failed tries: doubles each time. */
export const delayAfter = (tries: number, { first, longest }: Backoff = defaultBackoff): number =>
  Math.min(first * 2 ** Math.min(Math.max(tries - 1, 0), 30), longest);
