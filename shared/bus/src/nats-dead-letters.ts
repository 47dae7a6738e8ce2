import { encode } from './codec';
import type { Listeners } from './dead-letters';
import { BusError } from './errors';
import type { BusLog } from './log';
import { duplicateId, type Names } from './nats-names';
import type { Publisher } from './nats-publish';
import type { DeadLetter } from './port';
import { textOf } from './settle';

/** Keeps dead letters in a stream of their own, then tells who listens. */
export type DeadLetterKeeper = {
  /** Resolves with true when the letter is kept, however long that takes while the server is away; with false after `stop`. */
  keep(letter: DeadLetter): Promise<boolean>;
  /** Ends the waiting for a server that is away: what is not kept is not given up. */
  stop(): void;
};

const firstPause = 250;
const longestPause = 5_000;

export function deadLetterKeeper(
  names: Names,
  publisher: Publisher,
  listeners: Listeners,
  log: BusLog,
): DeadLetterKeeper {
  let stopped = false;
  const store = async ({ error: _error, ...letter }: DeadLetter): Promise<void> => {
    const { type, group, id } = letter;
    const envelope = {
      subject: names.deadLetterSubject(type, group),
      duplicateId: duplicateId(`${type}/${group}`, id),
    };
    try {
      await publisher.send([{ ...envelope, data: encode(letter) }]);
    } catch (error) {
      if (!(error instanceof BusError) || (error.code !== 'too_large' && error.code !== 'invalid_message')) throw error;
      await publisher.send([{ ...envelope, data: encode({ ...letter, message: null }) }]);
    }
  };
  return {
    keep: async (letter) => {
      for (let pause = firstPause; !stopped; pause = Math.min(pause * 2, longestPause)) {
        try {
          await store(letter);
          listeners.tell(letter);
          return true;
        } catch (error) {
          log.warn({ type: letter.type, id: letter.id, reason: textOf(error) }, 'a dead letter is not kept yet');
          await new Promise((resolve) => setTimeout(resolve, pause).unref());
        }
      }
      return false;
    },
    stop: () => {
      stopped = true;
    },
  };
}
