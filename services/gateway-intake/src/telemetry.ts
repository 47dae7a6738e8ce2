import type { ReceivedWebhook, RequestOutput } from '@order-automation/contracts';
import { metricsOfTable, type ServiceDeps } from '@order-automation/service';
import type { Refusal } from './gateways/refusal';
import type { InboxEvent } from './inbox/documents';
import table from './metrics.json';

type Figures = RequestOutput<'intake.figures.get.v1'>;

export type Telemetry = ReturnType<typeof intakeTelemetry>;

/** One helper per business event: metric and log line together. `gateways` are the names that labels may have. */
export function intakeTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>, gateways: ReadonlySet<string>) {
  const { counters, gauges, histograms } = metricsOfTable(metrics, 'intake', table);
  const unpublishedLine = atMostEvery(10_000);
  const notStoredLine = atMostEvery(10_000);
  const label = (gateway: string) => (gateways.has(gateway) ? gateway : 'unknown');
  const oldestLine = atMostEvery(15 * 60_000);
  const latestByGateway = new Map<string, number>();
  const trace = ({ _id, process_id, event }: InboxEvent) => ({
    event_id: _id,
    process_id,
    gateway: event.sourceGateway,
  });
  return {
    received: (webhooks: number, seconds: number) => {
      histograms.receive_duration_seconds.observe(seconds);
      log.debug({ webhooks, duration_ms: seconds * 1000 }, 'webhooks received');
    },
    accepted: (documents: readonly InboxEvent[]) => {
      for (const { event } of documents) counters.events_accepted_total.inc({ gateway: label(event.sourceGateway) });
      if (!log.isLevelEnabled('debug')) return;
      for (const document of documents) log.debug(trace(document), 'event accepted');
    },
    duplicate: (copy: InboxEvent) => {
      counters.duplicates_total.inc({ gateway: label(copy.event.sourceGateway) });
      log.debug(trace(copy), 'duplicate webhook');
    },
    recovered: (gateway: string, events: number) => {
      counters.events_recovered_total.inc({ gateway: label(gateway) }, events);
      log.warn({ gateway, events }, 'events had never arrived and were taken up');
    },
    refused: (id: string, webhook: ReceivedWebhook, { code }: Refusal) => {
      const gateway = label(webhook.gateway);
      counters.webhooks_refused_total.inc({ gateway, reason: code });
      log.info({ event_id: id, process_id: webhook.process_id, gateway, reason: code }, 'webhook refused');
    },
    notStored: (webhooks: number, error: unknown) => {
      counters.store_failures_total.inc(webhooks);
      const tries = notStoredLine(webhooks);
      if (tries > 0)
        log.error({ err: error, tries }, 'webhooks could not be stored; the edge tries again for some seconds');
    },
    /** Without an error: they came faster than the bus took them. */
    unpublished: (count: number, error: unknown) => {
      counters.publish_failures_total.inc(count);
      const events = unpublishedLine(count);
      if (events > 0) log.warn({ err: error, events }, 'events could not be published at once, the relay will');
    },
    relayed: (count: number) => {
      counters.relayed_total.inc(count);
      log.info({ events: count }, 'events published again');
    },
    entriesKept: (count: number, error: unknown) =>
      log.warn({ err: error, entries: count }, 'audit did not take entries, they will be handed over again'),
    done: (end: 'done' | 'dead', count: number) => counters.events_done_total.inc({ end }, count),
    inbox: ({ unfinished, oldest_at, waiting, verifying, dead, held }: Figures, now: number) => {
      const age = oldest_at === null ? 0 : (now - Date.parse(oldest_at)) / 1000;
      gauges.backlog_events.set(unfinished);
      gauges.waiting_events.set(waiting);
      gauges.held_events.set(held.reduce((sum, { total }) => sum + total, 0));
      gauges.verifying_events.set(verifying);
      gauges.dead_letters.set(dead);
      gauges.oldest_unfinished_seconds.set(age);
      if (age < alarmAge || oldestLine(1) === 0) return;
      log.error({ age_seconds: Math.round(age) }, 'an event has been waiting for evaluation for a long time');
    },
    /** `endpoint` as `gateway_card` or `generic/erp`; a gateway has the latest of its endpoints. */
    lastAccepted: (endpoint: string, seconds: number) => {
      const gateway = label(endpoint.split('/')[0] ?? '');
      const latest = Math.max(seconds, latestByGateway.get(gateway) ?? 0);
      latestByGateway.set(gateway, latest);
      gauges.last_accepted_timestamp_seconds.set({ gateway }, latest);
    },
    /** Milliseconds since the epoch by endpoint, of those that end. */
    secretEnds: (ends: ReadonlyMap<string, number>) => {
      gauges.secret_expires_timestamp_seconds.reset();
      for (const [endpoint, end] of ends) gauges.secret_expires_timestamp_seconds.set({ endpoint }, end / 1000);
    },
    flood: (webhooks: number, addresses: number) => {
      counters.rate_limited_total.inc(webhooks);
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
