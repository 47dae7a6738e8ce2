import { BusError, retryOf } from '@order-automation/bus';
import { unavailable } from '@order-automation/contracts';
import { collecting, metricsOfTable } from '@order-automation/service';
import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import type { Edge } from './http/edge';
import table from './metrics.json';
import { QueueError, type WaitingQueue, waitingQueue } from './waiting-queue';

export type BreakerOptions = {
  readonly metrics: Registry;
  readonly log: Logger;
  /** Requests to one service that may be in flight; further ones wait. Default 100. */
  readonly inFlight?: number;
  /** Requests to one service that may wait; further ones are refused at once. Default 500. */
  readonly waiting?: number;
  /** Milliseconds until a service that did not answer is tried again, with one request. Default 3 s. */
  readonly reset?: number;
};

type Question = () => Promise<unknown>;

/** A service behind the edge. */
type Peer = { readonly breaker: CircuitBreaker<[Question], unknown>; readonly queue: WaitingQueue };

const states = { closed: 0, halfOpen: 1, open: 2 } as const;
/** Milliseconds for which a request waits for its turn at most, and never longer than half of what it has: the service needs time too. */
const longestWait = 1_250;
/** Fewer requests than these in ten seconds say nothing about a service. */
const leastVolume = 10;

/**
 * Asks each service through a breaker of its own, so that callers hear at once, with 503, that a service does not answer. Of a slow one so many
 * requests are in flight, some more wait for their turn, and the rest hears 503 at once. Refusals of a service are answers. Webhooks do not come
 * this way: intake is asked for each of them.
 */
export function guardedAsk(ask: Edge['ask'], options: BreakerOptions) {
  const peers = new Map<string, Peer>();
  const refused = peerMetrics(peers, options.metrics);
  const peerOf = (name: string): Peer => {
    const peer = peers.get(name) ?? makePeer(name, options);
    peers.set(name, peer);
    return peer;
  };
  const guarded = async (type: string, timeout: number, question: (left: number) => Promise<unknown>) => {
    const name = type.split('.', 1)[0] ?? type;
    const { breaker, queue } = peerOf(name);
    const began = performance.now();
    const fire = () => breaker.fire(() => question(Math.max(1, timeout - (performance.now() - began))));
    try {
      if (breaker.opened) return await fire();
      return await queue.run(fire, Math.min(longestWait, timeout / 2));
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      refused.inc({ peer: name, reason });
      throw unavailable(name);
    }
  };
  return {
    ask: ((type, input, timeout) => guarded(type, timeout, (left) => ask(type, input, left))) as Edge['ask'],
    close: () => {
      for (const { breaker } of peers.values()) breaker.shutdown();
    },
  };
}

const figures = {
  breaker_state: ({ breaker }: Peer) => {
    if (breaker.halfOpen) return states.halfOpen;
    return breaker.opened ? states.open : states.closed;
  },
  requests_in_flight: ({ queue }: Peer) => queue.inFlight(),
  requests_waiting: ({ queue }: Peer) => queue.waiting(),
};

function peerMetrics(peers: ReadonlyMap<string, Peer>, metrics: Registry): Counter {
  const { counters, gauges } = metricsOfTable(metrics, 'edge', table);
  for (const [name, read] of Object.entries(figures)) {
    const gauge = gauges[name as keyof typeof figures];
    collecting(gauge, () => {
      for (const [peer, of] of peers) gauge.set({ peer }, read(of));
    });
  }
  return counters.requests_refused_total;
}

function makePeer(name: string, { log, inFlight = 100, waiting = 500, reset = 3_000 }: BreakerOptions): Peer {
  const queue = waitingQueue({ inFlight, waiting });
  const breaker = new CircuitBreaker((question: Question) => question(), {
    // Each question has a time-out of its own.
    timeout: false,
    resetTimeout: reset,
    volumeThreshold: leastVolume,
    errorThresholdPercentage: 50,
    // Refusals of the service itself are answers, also when it says that something it needs is unavailable.
    errorFilter: (error: unknown) => !(error instanceof BusError && retryOf(error) === 'later'),
  });
  breaker.on('open', () => {
    log.warn({ peer: name }, 'a service does not answer; it is tried again in a few seconds');
    // The breaker refuses them.
    queue.flush();
  });
  breaker.on('close', () => log.info({ peer: name }, 'a service answers again'));
  return { breaker, queue };
}

function refusalOf(error: unknown): 'open' | QueueError['reason'] | undefined {
  if (error instanceof QueueError) return error.reason;
  return (error as { code?: unknown } | undefined)?.code === 'EOPENBREAKER' ? 'open' : undefined;
}
