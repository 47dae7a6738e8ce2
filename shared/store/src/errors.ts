/** The database does not answer, or cannot flush: try again later. */
export class StoreUnavailableError extends Error {
  readonly code = 'unavailable';
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** A filter, update or option outside the port's subset. A mistake of the caller's. */
export class UnsupportedQueryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedQueryError';
  }
}

type Coded = { code?: unknown; writeErrors?: unknown };
type WriteErrorLike = { index?: unknown; code?: unknown; err?: { code?: unknown; index?: unknown } };

/** True for a broken unique index, from either engine (code 11000). */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Coded).code === 11000;
}

/**
 * The positions, in the array given to an unordered `insertMany` or `bulkWrite`, that broke a unique index.
 * Undefined when the error is anything else, also when only one of the failures is: then nothing may be assumed.
 */
export function duplicateKeyIndexes(error: unknown): number[] | undefined {
  if (!isDuplicateKey(error)) return undefined;
  const raw = (error as Coded).writeErrors;
  const failures = (Array.isArray(raw) ? raw : [raw]) as WriteErrorLike[];
  const indexes: number[] = [];
  for (const failure of failures) {
    const code = failure?.code ?? failure?.err?.code;
    const index = failure?.index ?? failure?.err?.index;
    if (code !== 11000 || typeof index !== 'number') return undefined;
    indexes.push(index);
  }
  return indexes;
}
