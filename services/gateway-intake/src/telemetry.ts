import type { ReceivedWebhook, RequestOutput } from '@order-automation/contracts';
import { metricsOfService, type ServiceDeps } from '@order-automation/service';
import type { Refusal } from './gateways/refusal';
import type { InboxEvent } from './inbox/documents';

type Figures = RequestOutput<'intake.figures.get.v1'>;

export type Telemetry = ReturnType<typeof intakeTelemetry>;

/** One helper per business event: metric and log line together. `gateways` are the names that labels may have. */
export function intakeTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>, gateways: ReadonlySet<string>) {
  const { counter, gauge, histogram } = metricsOfService(metrics, 'intake');
  const events = counter('events_accepted_total', 'Events stored before the answer, by gateway', ['gateway']);
  const refused = counter('webhooks_refused_total', 'Webhooks refused, by gateway and reason', ['gateway', 'reason']);
  const duplicates = counter('duplicates_total', 'Copies of events that were stored before, by gateway', ['gateway']);
  const lost = counter('store_failures_total', 'Webhooks answered success:false because they could not be stored');
  const limited = counter(
    'rate_limited_total',
    'Webhooks that proved nothing and were refused without a record: too many of one address',
  );
  const unpublished = counter(
    'publish_failures_total',
    'Events that could not be published at once; the relay does it later',
  );
  const unpublishedLine = atMostEvery(10_000);
  const relayed = counter('relayed_total', 'Events published again because nobody reported them done');
  const done = counter('events_done_total', 'Events that evaluation reported finished, by end', ['end']);
  const duration = histogram(
    'receive_duration_seconds',
    'From the arrival of a group until all of it is verified, normalised and flushed',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  );
  const label = (gateway: string) => (gateways.has(gateway) ? gateway : 'unknown');
  const oldest = gauge(
    'oldest_unfinished_seconds',
    'Age of the oldest event that evaluation has not finished and that neither waits for its order nor is held; 0 when there is none',
  );
  const backlog = gauge(
    'backlog_events',
    'Events that evaluation has not finished, without those that wait for their order',
  );
  const held = gauge('held_events', 'Events that wait until a gateway or connection is resumed');
  const waiting = gauge(
    'waiting_events',
    'Events that wait for something, usually for an order that the shop does not have yet',
  );
  const verifying = gauge('verifying_events', 'Events that a wallet has not confirmed yet');
  const dead = gauge('dead_letters', 'Events that were given up and not replayed since');
  const lastAccepted = gauge(
    'last_accepted_timestamp_seconds',
    'Unix time of the last accepted event, by gateway; none for a gateway that never had one',
    ['gateway'],
  );
  const oldestLine = atMostEvery(15 * 60_000);
  const latestByGateway = new Map<string, number>();
  const secrets = gauge(
    'secret_expires_timestamp_seconds',
    'Unix time at which the last secret of an endpoint ends; none for an endpoint with a secret that does not',
    ['endpoint'],
  );
  const trace = ({ _id, process_id, event }: InboxEvent) => ({
    event_id: _id,
    process_id,
    gateway: event.sourceGateway,
  });
  return {
    received: (webhooks: number, seconds: number) => {
      duration.observe(seconds);
      log.debug({ webhooks, duration_ms: seconds * 1000 }, 'webhooks received');
    },
    accepted: (documents: readonly InboxEvent[]) => {
      for (const { event } of documents) events.inc({ gateway: label(event.sourceGateway) });
      if (!log.isLevelEnabled('debug')) return;
      for (const document of documents) log.debug(trace(document), 'event accepted');
    },
    duplicate: (copy: InboxEvent) => {
      duplicates.inc({ gateway: label(copy.event.sourceGateway) });
      log.debug(trace(copy), 'duplicate webhook');
    },
    refused: (id: string, webhook: ReceivedWebhook, { code }: Refusal) => {
      const gateway = label(webhook.gateway);
      refused.inc({ gateway, reason: code });
      log.info({ event_id: id, process_id: webhook.process_id, gateway, reason: code }, 'webhook refused');
    },
    notStored: (webhooks: number, error: unknown) => {
      lost.inc(webhooks);
      log.error({ err: error, webhooks }, 'webhooks could not be stored; their senders were answered success: false');
    },
    /** Without an error: they came faster than the bus took them. */
    unpublished: (count: number, error: unknown) => {
      unpublished.inc(count);
      const events = unpublishedLine(count);
      if (events > 0) log.warn({ err: error, events }, 'events could not be published at once, the relay will');
    },
    relayed: (count: number) => {
      relayed.inc(count);
      log.info({ events: count }, 'events published again');
    },
    entriesKept: (count: number, error: unknown) =>
      log.warn({ err: error, entries: count }, 'audit did not take entries, they will be handed over again'),
    done: (end: 'done' | 'dead', count: number) => done.inc({ end }, count),
    /** How many events are where, and the age of the oldest unfinished one. */
    inbox: (
      { unfinished, oldest_at, waiting: waits, verifying: verifies, dead: died, held: holders }: Figures,
      now: number,
    ) => {
      const age = oldest_at === null ? 0 : (now - Date.parse(oldest_at)) / 1000;
      backlog.set(unfinished);
      waiting.set(waits);
      held.set(holders.reduce((sum, { total }) => sum + total, 0));
      verifying.set(verifies);
      dead.set(died);
      oldest.set(age);
      if (age < alarmAge || oldestLine(1) === 0) return;
      log.error({ age_seconds: Math.round(age) }, 'an event has been waiting for evaluation for a long time');
    },
    /** `endpoint` as `gateway_card` or `generic/erp`; a gateway has the latest of its endpoints. */
    lastAccepted: (endpoint: string, seconds: number) => {
      const gateway = label(endpoint.split('/')[0] ?? '');
      const latest = Math.max(seconds, latestByGateway.get(gateway) ?? 0);
      latestByGateway.set(gateway, latest);
      lastAccepted.set({ gateway }, latest);
    },
    /** Milliseconds since the epoch by endpoint, of those that end. */
    secretEnds: (ends: ReadonlyMap<string, number>) => {
      secrets.reset();
      for (const [endpoint, end] of ends) secrets.set({ endpoint }, end / 1000);
    },
    flood: (webhooks: number, addresses: number) => {
      limited.inc(webhooks);
      log.warn({ webhooks, addresses }, 'webhooks that proved nothing were refused without a record');
    },
    adapterFailed: (error: unknown) => log.error({ err: error }, 'an adapter failed'),
    inactive: (gateway: string, reason: string) => log.info({ gateway, reason }, 'a gateway is not in use'),
    attention: (gateway: string, reason: string) => log.warn({ gateway, reason }, 'a gateway needs attention'),
  };
}

/** Seconds after which an unfinished event is alarmed. */
const alarmAge = 15 * 60;

/** Sums up what is to be told, and gives the sum once in so many milliseconds; 0 otherwise. */
function atMostEvery(interval: number): (count: number) => number {
  let sum = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return (count) => {
    sum += count;
    const now = performance.now();
    if (now - lastAt < interval) return 0;
    const total = sum;
    [sum, lastAt] = [0, now];
    return total;
  };
}
