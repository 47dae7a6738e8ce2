import crypto from 'node:crypto';
import { install } from '@sinonjs/fake-timers';
import { createDice } from '../year/dice';

const faked = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
];

export type VirtualTime = {
  /** Lets time pass, timer by timer, until the work is done. Rejects when that takes more than so many milliseconds of this time. */
  pass<T>(work: Promise<T>, most: number): Promise<T>;
  /** Time that nobody looks at: what is due in it happens once at its end. */
  skip(milliseconds: number): void;
  end(): void;
};

/**
 * From now on every timer of this thread, `Date` and everything drawn by chance depend on the seed alone: time goes on to the next timer when there is
 * nothing else to do. Nothing that waits for another thread, the network or the disk has a place here.
 */
export function startVirtualTime(seed: number, startsAt: number): VirtualTime {
  const idle = setImmediate;
  const turn = (): Promise<void> => new Promise((resolve) => idle(resolve));
  const clock = install({ now: startsAt, toFake: faked as never });
  const restore = seedChance(seed);
  return {
    pass: async (work, most) => {
      const deadline = Date.now() + most;
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      done.catch(() => undefined);
      for (await turn(); !isDone; await turn()) {
        if (Date.now() > deadline) throw new Error(`not done after ${most / 60_000} minutes of virtual time`);
        clock.next();
      }
      return done;
    },
    skip: (milliseconds) => void clock.jump(milliseconds),
    end: () => {
      clock.uninstall();
      restore();
    },
  };
}

/** Ids count up within a millisecond of virtual time; keys and salts are those of the seed. */
function seedChance(seed: number): () => void {
  const dice = createDice(seed);
  const fill = <T extends NodeJS.ArrayBufferView>(bytes: T): T => {
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(0);
    return bytes;
  };
  let made = 0;
  const uuid = (): string => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => dice.between(0, 255)));
  const spies = [
    jest.spyOn(Math, 'random').mockImplementation(dice.next),
    jest.spyOn(crypto, 'randomFillSync').mockImplementation(fill as never),
    jest.spyOn(crypto, 'randomBytes').mockImplementation(bytes as never),
    jest.spyOn(crypto, 'randomUUID').mockImplementation(uuid as never),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}
