import { BusError } from '@order-automation/bus';
import { unavailable } from '@order-automation/contracts';
import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Edge } from './routes/edge';

export type BreakerOptions = {
  readonly metrics: Registry;
  readonly log: Logger;
  /** Requests to one service that may be in flight; further ones are refused at once. Default 100. */
  readonly inFlight?: number;
  /** Milliseconds until a service that did not answer is tried again, with one request. Default 3 s. */
  readonly reset?: number;
};

export type GuardedAsk = { readonly ask: Edge['ask']; close(): void };

type Question = () => Promise<unknown>;

/** A service behind the edge. */
type Peer = { readonly breaker: CircuitBreaker<[Question], unknown>; inFlight: number };

const states = { closed: 0, halfOpen: 1, open: 2 } as const;
const defaultInFlight = 100;
const defaultReset = 3_000;
/** Fewer requests than these in ten seconds say nothing about a service. */
const leastVolume = 10;

/**
 * Asks each service through a breaker of its own, so that callers hear at once, with 503, that a service does not answer, and a slow one does not
 * collect requests without end. Refusals of a service are answers. Webhooks do not come this way: intake is asked for each of them.
 */
export function guardedAsk(ask: Edge['ask'], options: BreakerOptions): GuardedAsk {
  const peers = new Map<string, Peer>();
  const refused = peerMetrics(peers, options.metrics);
  const peerOf = (name: string): Peer => {
    const peer = peers.get(name) ?? makePeer(name, options);
    peers.set(name, peer);
    return peer;
  };
  const guarded = async (type: string, question: Question): Promise<unknown> => {
    const name = type.split('.', 1)[0] ?? type;
    try {
      return await peerOf(name).breaker.fire(question);
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      refused.inc({ peer: name, reason });
      throw unavailable(name);
    }
  };
  return {
    ask: ((type, input, timeout) => guarded(type, () => ask(type, input, timeout))) as Edge['ask'],
    close: () => {
      for (const { breaker } of peers.values()) breaker.shutdown();
    },
  };
}

/** Registers the metrics of all services; gives the counter of refusals. */
function peerMetrics(peers: ReadonlyMap<string, Peer>, metrics: Registry): Counter<'peer' | 'reason'> {
  const registers = [metrics];
  const gauge = (name: string, help: string, read: (peer: Peer) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['peer'],
      registers,
      collect() {
        for (const [name, peer] of peers) this.set({ peer: name }, read(peer));
      },
    });
  gauge('order_automation_edge_breaker_state', 'Breaker of a service: 0 closed, 1 half-open, 2 open', stateOf);
  gauge('order_automation_edge_requests_in_flight', 'Requests that wait for a service', ({ inFlight }) => inFlight);
  return new Counter({
    name: 'order_automation_edge_requests_refused_total',
    help: 'Requests answered 503 without asking the service behind, by service and reason',
    labelNames: ['peer', 'reason'],
    registers,
  });
}

function makePeer(name: string, { log, inFlight, reset }: BreakerOptions): Peer {
  const action = async (question: Question): Promise<unknown> => {
    peer.inFlight += 1;
    try {
      return await question();
    } finally {
      peer.inFlight -= 1;
    }
  };
  const breaker = new CircuitBreaker(action, {
    // Each question has a time-out of its own.
    timeout: false,
    capacity: inFlight ?? defaultInFlight,
    resetTimeout: reset ?? defaultReset,
    volumeThreshold: leastVolume,
    errorThresholdPercentage: 50,
    errorFilter: (error: unknown) => !isOutage(error),
  });
  const peer: Peer = { breaker, inFlight: 0 };
  breaker.on('open', () => log.warn({ peer: name }, 'a service does not answer; it is tried again in a few seconds'));
  breaker.on('close', () => log.info({ peer: name }, 'a service answers again'));
  return peer;
}

function isOutage(error: unknown): boolean {
  if (!(error instanceof BusError)) return false;
  return ['no_responder', 'timeout', 'unavailable', 'closed'].includes(error.code);
}

function refusalOf(error: unknown): 'open' | 'too_many' | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === 'EOPENBREAKER') return 'open';
  return code === 'ESEMLOCKED' ? 'too_many' : undefined;
}

function stateOf({ breaker }: Peer): number {
  if (breaker.halfOpen) return states.halfOpen;
  return breaker.opened ? states.open : states.closed;
}
