import { errorBodySchema, type RequestType, ServiceError, unavailable } from '@order-automation/contracts';
import { BusError, isOutage, RejectError } from './errors';

/** An error on its way to another process or thread. What says by its `code` that something is unavailable keeps saying so. */
export type WireError =
  | { readonly kind: 'service'; readonly body: ReturnType<ServiceError['body']> }
  | { readonly kind: 'bus'; readonly code: BusError['code']; readonly message: string }
  | { readonly kind: 'reject'; readonly message: string }
  | { readonly kind: 'other'; readonly name: string; readonly message: string; readonly code?: string | number };

export function toWireError(error: unknown): WireError {
  if (error instanceof ServiceError) return { kind: 'service', body: error.body() };
  if (error instanceof BusError) return { kind: 'bus', code: error.code, message: error.message };
  if (error instanceof RejectError) return { kind: 'reject', message: error.message };
  if (!(error instanceof Error)) return { kind: 'other', name: 'Error', message: String(error) };
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  const plainCode = typeof code === 'string' || typeof code === 'number' ? { code } : {};
  return { kind: 'other', name, message, ...plainCode };
}

export function fromWireError(error: unknown): Error {
  const { kind, body, code, name, message } = (error ?? {}) as Record<string, unknown>;
  const parsed = errorBodySchema.safeParse(body);
  if (kind === 'service' && parsed.success) return ServiceError.fromBody(parsed.data);
  if (kind === 'bus') return new BusError(code as BusError['code'], String(message));
  if (kind === 'reject') return new RejectError(String(message));
  if (kind === 'other') {
    return Object.assign(new Error(String(message)), { name }, code === undefined ? {} : { code });
  }
  return new BusError('invalid_message', 'The answer is neither a result nor an error.');
}

/**
 * What the caller may see of what a responder threw: its ServiceError unchanged; 503 `svc_unavailable` when something it needs is
 * unavailable; else 500 `svc_internal_error`, with nothing of the error in it.
 */
export function refusalOf(error: unknown, type: RequestType): ServiceError {
  if (error instanceof ServiceError) return error;
  const part = type.split('.')[0] ?? type;
  if (isOutage(error)) return unavailable(part);
  const text = 'The service could not answer because of an internal error.';
  return new ServiceError(500, 'svc_internal_error', text, { part });
}
