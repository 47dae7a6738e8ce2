import type { Bus } from '@order-automation/bus';
import type { Store } from '@order-automation/store';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Tracing } from './tracing';

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
  /** Absent unless tracing is on. */
  readonly tracing?: Tracing | undefined;
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
