import { errorBodySchema, ServiceError } from '@order-automation/contracts';
import { BusError, RejectError } from './errors';
import type { Settlement } from './port';

/** An error on its way to another thread of this process. What says that something is away keeps saying so by its `code`. */
export type ThreadError =
  | { readonly kind: 'service'; readonly body: ReturnType<ServiceError['body']> }
  | { readonly kind: 'bus'; readonly code: BusError['code']; readonly message: string }
  | { readonly kind: 'reject'; readonly message: string }
  | { readonly kind: 'other'; readonly name: string; readonly message: string; readonly code?: string | number };

export function toThreadError(error: unknown): ThreadError {
  if (error instanceof ServiceError) return { kind: 'service', body: error.body() };
  if (error instanceof BusError) return { kind: 'bus', code: error.code, message: error.message };
  if (error instanceof RejectError) return { kind: 'reject', message: error.message };
  if (!(error instanceof Error)) return { kind: 'other', name: 'Error', message: String(error) };
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number'
    ? { kind: 'other', name, message, code }
    : { kind: 'other', name, message };
}

export function fromThreadError(error: ThreadError): Error {
  switch (error.kind) {
    case 'service':
      return ServiceError.fromBody(errorBodySchema.parse(error.body));
    case 'bus':
      return new BusError(error.code, error.message);
    case 'reject':
      return new RejectError(error.message);
    default: {
      const { name, message, code } = error;
      return Object.assign(new Error(message), { name }, code === undefined ? {} : { code });
    }
  }
}

type ThreadSettlement =
  | Exclude<Settlement, { kind: 'retry' }>
  | { readonly kind: 'retry'; readonly error: ThreadError };

export function toThreadSettlements(settlements: readonly Settlement[]): ThreadSettlement[] {
  return settlements.map((one) => (one.kind === 'retry' ? { kind: 'retry', error: toThreadError(one.error) } : one));
}

export function fromThreadSettlements(settlements: readonly ThreadSettlement[]): Settlement[] {
  return settlements.map((one) => (one.kind === 'retry' ? { kind: 'retry', error: fromThreadError(one.error) } : one));
}
