/** Milliseconds until evaluation and the log are handed again what they did not take. */
export const handoverBackoff = { first: 5_000, longest: 300_000 } as const;
