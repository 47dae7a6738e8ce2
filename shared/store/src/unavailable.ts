import { isUnflushed, StoreUnavailableError } from './errors';

/** Names of the driver's errors that mean: not now. By name, so that a process without MongoDB need not load the driver. */
const driverErrors = new Set([
  'MongoClientClosedError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
]);

/**
 * Codes of MongoDB's error_codes.yml that mean: no primary, no majority, no time, or no disk. 6 and 7 host, 50 and 262 time limits,
 * 64 and 100 write concern, 89 network, 91 and 11600 shutdown, 189 stepped down, 9001 socket, 10058, 10107, 11602, 13435 and 13436 primary,
 * 14031 disk.
 */
const serverCodes = new Set([
  6, 7, 50, 64, 89, 91, 100, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

type DriverErrorLike = { readonly name?: unknown; readonly code?: unknown; readonly errorResponse?: unknown };

/** True when the database does not answer or cannot keep a write now, from either engine: answer 503, or try again. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, errorResponse } = error as DriverErrorLike;
  if (typeof name !== 'string' || !name.startsWith('Mongo')) return false;
  if (driverErrors.has(name) || (typeof code === 'number' && serverCodes.has(code))) return true;
  // A bulk write wraps what it failed with.
  return isUnflushed(error) || (errorResponse instanceof Error && isUnavailable(errorResponse));
}

const socketCodes = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED', 'ETIMEDOUT']);

/** True for an error of Node.js about a connection that broke: the driver hands on those of writing as they are. */
export function isBrokenSocket(error: unknown): boolean {
  return error instanceof Error && socketCodes.has((error as DriverErrorLike).code);
}
