import { errorBodySchema, type RequestType, ServiceError, unavailable } from '@order-automation/contracts';
import { BusError } from './errors';

/** How a refusal travels back to who asked. */
export type WireError =
  | { readonly kind: 'service'; readonly body: ReturnType<ServiceError['body']> }
  | { readonly kind: 'bus'; readonly code: 'invalid_message' | 'too_large'; readonly message: string };

/**
 * What the asker is told when a responder throws: its ServiceError unchanged; 503 `svc_unavailable` when something it needs is away
 * (any error with code `unavailable`, `timeout` or `no_responder`); else 500 `svc_internal_error`, with nothing of the error in it.
 */
export function toWireError(error: unknown, type: RequestType): WireError {
  if (error instanceof ServiceError) return { kind: 'service', body: error.body() };
  const part = type.split('.')[0] ?? type;
  if (isOutage(error)) return { kind: 'service', body: unavailable(part).body() };
  const internal = new ServiceError(
    500,
    'svc_internal_error',
    'The service could not answer because of an internal error.',
    {
      part,
    },
  );
  return { kind: 'service', body: internal.body() };
}

const outages: readonly unknown[] = ['unavailable', 'timeout', 'no_responder', 'closed'];

/** Something a responder needs is away: nothing is wrong with the responder itself. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && outages.includes((error as { code?: unknown }).code);
}

export function fromWireError(error: unknown): Error {
  const { kind, body, code, message } = (error ?? {}) as Record<string, unknown>;
  const parsed = errorBodySchema.safeParse(body);
  if (kind === 'service' && parsed.success) return ServiceError.fromBody(parsed.data);
  if (kind === 'bus' && (code === 'invalid_message' || code === 'too_large'))
    return new BusError(code, String(message));
  return new BusError('invalid_message', 'The answer is neither a result nor an error.');
}
