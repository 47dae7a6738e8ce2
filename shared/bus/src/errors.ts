import { ServiceError } from '@order-automation/contracts';

/** The bus itself could not do what was asked. `code` is stable; `message` may be shown to an operator. */
export class BusError extends Error {
  constructor(
    readonly code: 'no_responder' | 'timeout' | 'unavailable' | 'closed' | 'invalid_message' | 'too_large',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'BusError';
  }
}

/** Thrown by a handler for a message that no retry can help: it is given up at once. */
export class RejectError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RejectError';
  }
}

const outages: readonly unknown[] = ['unavailable', 'timeout', 'no_responder', 'closed'];

/** Something that is needed is unavailable for now (by its `code`, or a responder's 503): nothing is wrong with the message. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 503;
  return error instanceof Error && outages.includes((error as { code?: unknown }).code);
}

/** An error in one line. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 1000);
}
