import type { BusLog } from './log';
import type { DeadLetter } from './port';

export type Listeners = {
  add(listener: (letter: DeadLetter) => void): void;
  /** Tells everybody; a listener that throws is logged and keeps nobody else from hearing. */
  tell(letter: DeadLetter): void;
};

export function listeners(log: BusLog): Listeners {
  const all: ((letter: DeadLetter) => void)[] = [];
  return {
    add: (listener) => {
      all.push(listener);
    },
    tell: (letter) => {
      const { type, group, id, attempts, reason } = letter;
      log.error({ type, group, id, attempts, reason, err: letter.error }, 'message given up');
      for (const listener of all) {
        try {
          listener(letter);
        } catch (err) {
          log.error({ err, id }, 'a listener of dead letters failed');
        }
      }
    },
  };
}
