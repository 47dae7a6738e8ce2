import type { BusLog } from './log';
import type { DeadLetter } from './port';

export type Listeners = {
  add(listener: (letter: DeadLetter) => void): void;
  /** Calls every listener; one that throws is logged and stops no other. */
  report(letter: DeadLetter): void;
};

export function listeners(log: BusLog): Listeners {
  const all: ((letter: DeadLetter) => void)[] = [];
  return {
    add: (listener) => {
      all.push(listener);
    },
    report: (letter) => {
      const { type, group, id, attempts, reason } = letter;
      log.error({ type, group, id, attempts, reason, err: letter.error }, 'message became a dead letter');
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
