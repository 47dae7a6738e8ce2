import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, defaultBackoff, delayAfter } from '@order-automation/base';
import type { Logger } from 'pino';
import { redactText } from '../privacy/mask-text';

type RetryOptions = {
  /** What is tried, in words for the log: "connecting to the bus". */
  readonly what: string;
  readonly log: Logger;
  readonly backoff?: Backoff;
  /** Gives up: the returned promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with the reason of each failure, which may be shown to an operator. */
  readonly onFailure?: (reason: string) => void;
};

/** Tries for ever, with a growing delay, until `attempt` resolves. */
export async function retryForever<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { what, log, backoff = defaultBackoff, signal, onFailure } = options;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const wait = delayAfter(tries, backoff);
      const reason = redactText(error instanceof Error ? error.message : String(error));
      onFailure?.(reason);
      // What starts side by side waits for the others: a first failure is usual.
      const [level, facts] = tries === 1 ? (['info', { reason }] as const) : (['warn', { err: error, tries }] as const);
      log[level]({ ...facts, retry_in_ms: wait }, `${what} failed, will be tried again`);
      await delay(wait, undefined, signal ? { signal } : {});
    }
  }
}
