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
      onFailure?.(redactText(error instanceof Error ? error.message : String(error)));
      log.warn({ err: error, tries, retry_in_ms: wait }, `${what} failed, will be tried again`);
      await delay(wait, undefined, signal ? { signal } : {});
    }
  }
}
