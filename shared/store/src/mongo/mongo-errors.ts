import { StoreUnavailableError } from '../errors';
import outages from './mongo-outages.json';

/** Names of the driver's errors that mean: not now. By name, so that a process without MongoDB need not load the driver. */
const driverErrors = new Set(outages);

/**
 * Codes of MongoDB's error_codes.yml that mean: no primary, no majority, no time, or no disk. 6 and 7 host, 50 and 262 time limits, 64 and 100 write
 * concern, 89 network, 91 and 11600 shutdown, 189 stepped down, 9001 socket, 10058, 10107, 11602, 13435 and 13436 primary, 14031 disk.
 */
const serverCodes = new Set([
  6, 7, 50, 64, 89, 91, 100, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** Connections that broke while the driver wrote to them: it hands on the error of Node.js. */
const socketCodes = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED', 'ETIMEDOUT']);

type DriverErrorLike = {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly errorResponse?: unknown;
  /** Of a bulk write. */
  readonly result?: { getWriteConcernError?(): unknown };
};

/** The driver has a dozen errors for one outage: they become the one that callers know. Others stay what they are. */
export function asStoreError(error: unknown): unknown {
  return !(error instanceof StoreUnavailableError) && isOutage(error)
    ? new StoreUnavailableError('MongoDB does not answer.', { cause: error })
    : error;
}

function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, errorResponse, result } = error as DriverErrorLike;
  if (typeof name !== 'string' || !name.startsWith('Mongo')) return socketCodes.has(code);
  if (driverErrors.has(name) || (typeof code === 'number' && serverCodes.has(code))) return true;
  // What a bulk write did is not known to be flushed by a majority, or it wraps what it failed with.
  return result?.getWriteConcernError?.() !== undefined || isOutage(errorResponse);
}
