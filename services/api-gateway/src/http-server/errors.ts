import { BusError, retryOf } from '@order-automation/bus';
import {
  type ErrorBody,
  invalidParameters,
  ServiceError,
  unavailable,
  violationsOf,
} from '@order-automation/contracts';
import { z } from 'zod';

/** What a client learns of an error, and whether it is worth more than a debug line in the log. */
export type ErrorAnswer = {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
};

/** Section 7 of the specification. An error that is not meant for the caller becomes 500 without a word of its own. */
export function errorAnswer(error: unknown): ErrorAnswer {
  const known = asServiceError(error);
  if (!known) return answer(new ServiceError(500, 'svc_internal_error', 'Something went wrong on our side.'), true);
  return answer(known, false);
}

function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error.status >= 400 && error.status <= 599 ? error : undefined;
  if (error instanceof z.ZodError) return invalidParameters(violationsOf(error));
  if (retryOf(error) === 'later') return unavailable(error instanceof BusError ? 'bus' : 'store');
  if (error instanceof URIError) return new ServiceError(400, 'rest_invalid_param', 'The address is not valid.');
  return undefined;
}

function answer(error: ServiceError, unexpected: boolean): ErrorAnswer {
  const wait = error.status === 503 ? 1 : error.data.retry_after;
  const headers = typeof wait === 'number' && wait >= 0 ? waitHeaders(error.status, Math.ceil(wait)) : {};
  return { status: error.status, body: error.body(), headers, unexpected };
}

/** `Retry-After`, and where a limit was reached the same in the words of draft-ietf-httpapi-ratelimit-headers: nothing remains for so many seconds. */
function waitHeaders(status: number, seconds: number): Readonly<Record<string, string>> {
  const retry = { 'Retry-After': String(seconds) };
  return status === 429 ? { ...retry, RateLimit: `"attempts";r=0;t=${seconds}` } : retry;
}
