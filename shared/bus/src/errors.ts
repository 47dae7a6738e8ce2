import { CodedError } from '@order-automation/base';

type Code = 'no_responder' | 'timeout' | 'unavailable' | 'closed' | 'invalid_message' | 'too_large';

/** The bus itself could not do what was asked. */
export class BusError extends CodedError<Code> {
  constructor(code: Code, message: string, options?: { cause?: unknown }) {
    super(code, code === 'invalid_message' || code === 'too_large' ? 'never' : 'later', message, options);
  }
}

/** Thrown by a handler for a message that no retry can help: it is given up at once. */
export class RejectError extends Error {
  override readonly name = 'RejectError';
}
