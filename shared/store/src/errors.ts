import { CodedError, wireErrors } from '@order-automation/base';

/** The database does not answer, or cannot flush. */
export class StoreUnavailableError extends CodedError<'unavailable'> {
  constructor(message: string, options?: { cause?: unknown }) {
    super('unavailable', 'later', message, options);
  }
}

/** What a call is that did not end within so many milliseconds. */
export const late = (timeout: number) => (): Error =>
  new StoreUnavailableError(`The database did not answer within ${timeout} ms.`);

/** A filter, update, option or value outside the port's subset. A mistake of the caller's. */
export class UnsupportedQueryError extends Error {
  override readonly name = 'UnsupportedQueryError';
}

/** An update that the document it met does not allow, as `$inc` of a text. `code` is MongoDB's. */
export class UpdateRefusedError extends Error {
  override readonly name = 'UpdateRefusedError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A broken unique index, with the driver's code. */
export class DuplicateKeyError extends Error {
  override readonly name = 'DuplicateKeyError';
  readonly code = 11000;
}

export type WriteError = { readonly index: number; readonly code: number; readonly errmsg: string };

/** What failed of an `insertMany` or `bulkWrite`, in the shape of the driver's error: `code` is that of the first failure. */
export class BulkWriteError extends Error {
  override readonly name = 'BulkWriteError';
  readonly code: number;
  constructor(readonly writeErrors: readonly WriteError[]) {
    super(writeErrors[0]?.errmsg ?? 'A bulk write failed.');
    this.code = writeErrors[0]?.code ?? 8;
  }
}

/** How they cross from the thread of the database. */
export const storeErrors = wireErrors(
  [StoreUnavailableError, UnsupportedQueryError, UpdateRefusedError, DuplicateKeyError, BulkWriteError].map((of) => ({
    kind: of.name,
    of,
  })),
);

type Coded = { code?: unknown; writeErrors?: unknown };
type WriteErrorLike = { index?: unknown; code?: unknown; err?: { code?: unknown; index?: unknown } };

/** True for a broken unique index, from either engine (code 11000). */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as Coded).code === 11000;

/**
 * The positions in the array of an `insertMany` or `bulkWrite` that broke a unique index, in ascending order; an ordered one ends at the first.
 * Undefined when the error is anything else, also when only one of the failures is, or it names none: then nothing may be assumed.
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
  return indexes.length === 0 ? undefined : indexes.sort((a, b) => a - b);
}
