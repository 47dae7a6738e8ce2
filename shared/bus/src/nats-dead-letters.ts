import { delayAfter } from './backoff';
import type { Listeners } from './dead-letters';
import { BusError, textOf } from './errors';
import type { BusLog } from './log';
import type { Names } from './nats-names';
import type { Publisher } from './nats-publish';
import type { DeadLetter } from './port';

/** Keeps dead letters in a stream of their own, then reports them. */
export type DeadLetterKeeper = {
  /** Resolves with true when the letter is kept, however long the server is unavailable; with false after `stop`. */
  keep(letter: DeadLetter): Promise<boolean>;
  /** Stops retrying: what is not kept stays with the server, unacknowledged. */
  stop(): void;
};

export function deadLetterKeeper(
  names: Names,
  publisher: Publisher,
  listeners: Listeners,
  log: BusLog,
): DeadLetterKeeper {
  let stopped = false;
  const store = async ({ error: _error, ...letter }: DeadLetter): Promise<void> => {
    const subject = names.deadLetterSubject(letter.type, letter.group);
    try {
      await publisher.store(subject, JSON.stringify(letter));
    } catch (error) {
      if (!(error instanceof BusError) || error.code !== 'too_large') throw error;
      await publisher.store(subject, JSON.stringify({ ...letter, message: null }));
    }
  };
  return {
    keep: async (letter) => {
      for (let tries = 1; !stopped; tries += 1) {
        try {
          await store(letter);
          listeners.report(letter);
          return true;
        } catch (error) {
          log.warn({ type: letter.type, id: letter.id, reason: textOf(error) }, 'a dead letter is not kept yet');
          await new Promise((resolve) => setTimeout(resolve, delayAfter(tries)).unref());
        }
      }
      return false;
    },
    stop: () => {
      stopped = true;
    },
  };
}
