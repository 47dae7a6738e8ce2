import { delayAfter } from '@order-automation/bus';
import type { Logger } from 'pino';
import { outageLog } from '../process/outage-log';
import type { Clock } from '../process/service';

export type RelayOptions<Item> = {
  readonly name: string;
  /** Up to `limit` items that are to be handed over `now` (milliseconds since the epoch), oldest first. */
  readonly pending: (now: number, limit: number) => Promise<readonly Item[]>;
  /** Hands them over. Resolves when that was done; what happens to them after is for `pending` to see. */
  readonly send: (items: readonly Item[]) => Promise<void>;
  /** Milliseconds between two sweeps when nothing fails. */
  readonly every: number;
  /** Milliseconds between two sweeps while there is nothing to do: at most these, and a quarter of the time for which there was nothing. Default: `every`. */
  readonly longest?: number;
  /** Items a sweep takes at a time. */
  readonly batch: number;
  readonly clock: Clock;
  readonly log: Logger;
};

/** `longest` of a relay whose work is announced (`kick`, a message), so that its sweeps find only what a process left behind, or what is tried again. */
export const restingSweep = 5_000;

export type Relay = {
  /** Sweeps now instead of at the next interval; again at once when a sweep is in flight, which may not have seen the latest. */
  kick(): void;
  /** Stops sweeping and waits for the sweep in flight. */
  close(): Promise<void>;
};

/**
 * Hands over what a store still holds, again and again until it is confirmed (architecture, "The one promise", steps 2 and 4).
 * The store is the only memory: nothing is lost when the process dies. A failed sweep is tried again with the backoff of the bus, with half as many
 * items, which may be done in time where more were not; after a single one that fails, with all of them, so that it does not hold up the others.
 */
export function startRelay<Item>(options: RelayOptions<Item>): Relay {
  const { pending, send, every, longest = every, batch, clock, log } = options;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let failures = 0;
  let size = batch;
  let kicked = false;
  let busyAt = performance.now();
  const outage = outageLog(options.name, { clock, log });

  const sweep = async (): Promise<void> => {
    let waiting = 0;
    try {
      for (;;) {
        const limit = size;
        const items = await pending(clock.now(), limit);
        waiting = items.length;
        if (waiting > 0) {
          busyAt = performance.now();
          await send(items);
        }
        failures = 0;
        size = Math.min(batch, limit * 2);
        outage.recovered();
        if (items.length < limit || closed) return;
      }
    } catch (error) {
      failures += 1;
      size = size > 1 ? Math.ceil(Math.min(size, waiting || size) / 2) : batch;
      outage.failed(error, waiting);
    }
  };

  const pause = (): number => Math.max(every, Math.min(longest, (performance.now() - busyAt) / 4));

  const schedule = (delay: number): void => {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(run, delay);
    timer.unref();
  };

  function run(): void {
    if (running || closed) return;
    kicked = false;
    running = sweep().finally(() => {
      running = undefined;
      schedule(failures > 0 ? delayAfter(failures) : kicked ? 0 : pause());
    });
  }

  schedule(0);
  return {
    kick: () => {
      kicked = true;
      busyAt = performance.now();
      run();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Looks at the start and every so many milliseconds, until it is closed; a look that fails is tried again as a sweep is. */
export function startPolling(
  name: string,
  every: number,
  look: () => Promise<unknown>,
  { clock, log }: Pick<RelayOptions<never>, 'clock' | 'log'>,
): Relay {
  const pending = async () => {
    await look();
    return [];
  };
  return startRelay<never>({ name, pending, send: async () => undefined, every, batch: 1, clock, log });
}
