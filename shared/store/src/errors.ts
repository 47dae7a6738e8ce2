/** The database does not answer, or cannot flush: try again later. */
export class StoreUnavailableError extends Error {
  readonly code = 'unavailable';
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** A filter, update, option or value outside the port's subset. A mistake of the caller's. */
export class UnsupportedQueryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedQueryError';
  }
}

/** An update that the document it met does not allow, as `$inc` of a text. `code` is MongoDB's. */
export class UpdateRefusedError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'UpdateRefusedError';
    this.code = code;
  }
}

/** A broken unique index, with the driver's code. */
export class DuplicateKeyError extends Error {
  readonly code = 11000;
  constructor(message: string) {
    super(message);
    this.name = 'DuplicateKeyError';
  }
}

export type WriteError = { readonly index: number; readonly code: number; readonly errmsg: string };

/** What failed of an `insertMany` or `bulkWrite`, in the shape of the driver's error: `code` is that of the first failure. */
export class BulkWriteError extends Error {
  readonly code: number;
  readonly writeErrors: readonly WriteError[];
  constructor(writeErrors: readonly WriteError[]) {
    super(writeErrors[0]?.errmsg ?? 'A bulk write failed.');
    this.name = 'BulkWriteError';
    this.code = writeErrors[0]?.code ?? 8;
    this.writeErrors = writeErrors;
  }
}

type Coded = { code?: unknown; writeErrors?: unknown; result?: { getWriteConcernError?: () => unknown } };
type WriteErrorLike = { index?: unknown; code?: unknown; err?: { code?: unknown; index?: unknown } };

/** True for a broken unique index, from either engine (code 11000). */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Coded).code === 11000;
}

/**
 * The positions in the array of an `insertMany` or `bulkWrite` that broke a unique index, in ascending order; an ordered one ends at the first.
 * Undefined when the error is anything else, also when only one of the failures is, or when what was written is not flushed by a
 * majority: then nothing may be assumed.
 */
export function duplicateKeyIndexes(error: unknown): number[] | undefined {
  if (!isDuplicateKey(error)) return undefined;
  if (isUnflushed(error)) return undefined;
  const raw = (error as Coded).writeErrors;
  const failures = (Array.isArray(raw) ? raw : [raw]) as WriteErrorLike[];
  const indexes: number[] = [];
  for (const failure of failures) {
    const code = failure?.code ?? failure?.err?.code;
    const index = failure?.index ?? failure?.err?.index;
    if (code !== 11000 || typeof index !== 'number') return undefined;
    indexes.push(index);
  }
  return indexes.sort((a, b) => a - b);
}

/** True for the driver's error of a bulk whose writes, those that did not fail, are not known to be flushed by a majority. */
export function isUnflushed(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { result } = error as Coded;
  return result?.getWriteConcernError?.() !== undefined;
}
