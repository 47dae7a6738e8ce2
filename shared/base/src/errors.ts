/**
 * Whether what failed may be tried again. `later`: something that it needs is unavailable, and nothing is wrong with it: retried until that is back.
 * `now`: it failed alone, while others like it succeed: retried for a while. `never`: its own failure; another try is not expected to help.
 */
export type Retry = 'now' | 'later' | 'never';

/** An error that says by itself what its callers have to know: `code` is stable, `message` may be shown to an operator. */
export class CodedError<Code extends string = string> extends Error {
  constructor(
    readonly code: Code,
    readonly retry: Retry,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What an error says of itself; `never` for one that says nothing. The one place where that is decided. */
export function retryOf(error: unknown): Retry {
  const { retry } = (error ?? {}) as { retry?: unknown };
  return retry === 'now' || retry === 'later' ? retry : 'never';
}

/** An error in one line. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 1000);
}
