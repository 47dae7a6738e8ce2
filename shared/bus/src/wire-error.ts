import { retryOf, wireErrors } from '@order-automation/base';
import { errorBodySchema, type RequestType, ServiceError, unavailable } from '@order-automation/contracts';
import { BusError, RejectError } from './errors';

/** The errors of messages on their way to another process or thread. Versions of either side differ: fields are added, none are changed. */
export const busErrors = wireErrors([
  {
    kind: 'service',
    of: ServiceError,
    write: (error: ServiceError) => ({ body: error.body(), retry: error.retry }),
    read: ({ body, retry }) => {
      const parsed = errorBodySchema.safeParse(body);
      return parsed.success ? ServiceError.fromBody(parsed.data, retry as ServiceError['retry']) : undefined;
    },
  },
  { kind: 'bus', of: BusError, read: ({ code, message }) => new BusError(code as BusError['code'], String(message)) },
  { kind: 'reject', of: RejectError },
]);

export const fromWireError = (wire: unknown): Error =>
  busErrors.read(wire) ?? new BusError('invalid_message', 'The answer is neither a result nor an error.');

/**
 * What the caller may see of what a responder threw: its ServiceError unchanged; 503 `svc_unavailable` when something it needs is
 * unavailable; else 500 `svc_internal_error`, with nothing of the error in it.
 */
export function refusalOf(error: unknown, type: RequestType): ServiceError {
  if (error instanceof ServiceError) return error;
  const part = type.split('.')[0] ?? type;
  if (retryOf(error) === 'later') return unavailable(part);
  const text = 'The service could not answer because of an internal error.';
  return new ServiceError(500, 'svc_internal_error', text, { part });
}
