import type { Bus, Subscription } from '@order-automation/bus';
import type { Store } from '@order-automation/store';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Closing, closeInReverse } from './process';

/** Time as an argument: milliseconds since the epoch. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** All that a service is given. Nothing else is reached for. */
export type ServiceDeps = {
  readonly bus: Bus;
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly clock: Clock;
};

/** A running service. `close` stops taking work, finishes what is in flight, and is idempotent. */
export type Service = {
  /** The public port, of a service that has one. */
  readonly port?: number;
  /** What this service cannot do now, fit to show to an operator; empty when it is ready. Bus and store are asked elsewhere. */
  readonly problems?: () => Promise<readonly string[]>;
  /** It is about to end: sends its callers elsewhere, and goes on answering. */
  readonly drain?: () => void;
  close(): Promise<void>;
};

/** A service is one function. It rejects when something it needs is away; the caller tries again. */
export type StartService<Config> = (deps: ServiceDeps, config: Config) => Promise<Service>;

/** A part that was opened, and how it is closed: after everything that was opened later. */
export type Opened = Closing['add'];

/**
 * A service that closes what it opened, in reverse, when it is closed and when its start fails half-way: `start` hands in each part as it opens it. What
 * it subscribes to and answers on the bus is handed in by itself.
 */
export function serviceOf<Config, Started extends Omit<Service, 'close'>>(
  start: (deps: ServiceDeps, config: Config, opened: Opened) => Promise<Started>,
): (deps: ServiceDeps, config: Config) => Promise<Started & Pick<Service, 'close'>> {
  return async (deps, config) => {
    const closing = closeInReverse();
    try {
      const started = await start({ ...deps, bus: closingBus(deps.bus, closing.add) }, config, closing.add);
      return { ...started, close: closing.close };
    } catch (error) {
      await closing.close().catch((err: unknown) => deps.log.warn({ err }, 'a start that failed left something open'));
      throw error;
    }
  };
}

function closingBus(bus: Bus, opened: Opened): Bus {
  const kept = async (what: string, subscribing: Promise<Subscription>): Promise<Subscription> => {
    const subscription = await subscribing;
    opened(what, () => subscription.close());
    return subscription;
  };
  return {
    ...bus,
    respond: (type, handler) => kept(type, bus.respond(type, handler)),
    subscribe: (type, group, handler, options) => kept(type, bus.subscribe(type, group, handler, options)),
  };
}
