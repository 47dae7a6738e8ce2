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

/** Thrown by a handler for a message that no retry can help: it goes to the dead letters at once. */
export class RejectError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RejectError';
  }
}
