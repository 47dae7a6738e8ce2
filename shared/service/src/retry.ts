import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { redactText } from './redact';

export type RetryOptions = {
  /** What is tried, in words for the log: "connecting to the bus". */
  readonly what: string;
  readonly log: Logger;
  /** Milliseconds before the second try; doubles up to `longest`. Default 250. */
  readonly first?: number;
  /** Default 15,000. */
  readonly longest?: number;
  /** Gives up: the returned promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told why each try failed, fit to show to an operator. */
  readonly onFailure?: (reason: string) => void;
};

/** Tries for ever, with a growing delay, until `attempt` resolves. */
export async function retryForever<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { what, log, first = 250, longest = 15_000, signal, onFailure } = options;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const wait = Math.min(first * 2 ** Math.min(tries - 1, 20), longest);
      const reason = redactText(error instanceof Error ? error.message : String(error));
      onFailure?.(reason);
      log.warn({ err: error, tries, retry_in_ms: wait }, `${what} failed, will be tried again`);
      await delay(wait, undefined, signal ? { signal } : {});
    }
  }
}
