import type { ReceivedWebhook } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { Counter, Histogram } from 'prom-client';
import type { KeptEvent, KeptWebhook } from './payloads';
import type { Refusal } from './refusal';

export type Telemetry = ReturnType<typeof intakeTelemetry>;

/** One helper per business event: metric and log line together. `gateways` are the names that labels may have. */
export function intakeTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>, gateways: ReadonlySet<string>) {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers: [metrics] });
  const events = counter('intake_events_accepted_total', 'Events stored before the answer, by gateway', ['gateway']);
  const refused = counter('intake_webhooks_refused_total', 'Webhooks refused, by gateway and reason', [
    'gateway',
    'reason',
  ]);
  const duplicates = counter('intake_duplicates_total', 'Copies of events that were stored before, by gateway', [
    'gateway',
  ]);
  const lost = counter(
    'intake_store_failures_total',
    'Webhooks answered success:false because they could not be stored',
  );
  const unpublished = counter(
    'intake_publish_failures_total',
    'Events that could not be published at once; the relay does it later',
  );
  const unpublishedLine = atMostEvery(10_000);
  const relayed = counter('intake_relayed_total', 'Events published again because nobody reported them done');
  const done = counter('intake_events_done_total', 'Events that evaluation reported finished, by end', ['end']);
  const duration = new Histogram({
    name: 'intake_receive_duration_seconds',
    help: 'From the arrival of a group until all of it is verified, normalised and flushed',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  const label = (gateway: string) => (gateways.has(gateway) ? gateway : 'unknown');
  type Traced = Pick<KeptWebhook, 'process_id' | 'gateway'>;
  const trace = (id: string, { process_id, gateway }: Traced) => ({ event_id: id, process_id, gateway });
  return {
    received: (webhooks: number, seconds: number) => {
      duration.observe(seconds);
      log.debug({ webhooks, duration_ms: seconds * 1000 }, 'webhooks received');
    },
    accepted: (kept: readonly KeptEvent[]) => {
      const counts = new Map<string, number>();
      for (const { webhook } of kept) counts.set(webhook.gateway, (counts.get(webhook.gateway) ?? 0) + 1);
      for (const [gateway, count] of counts) events.inc({ gateway: label(gateway) }, count);
      if (!log.isLevelEnabled('debug')) return;
      for (const { event, webhook } of kept) log.debug(trace(event.id, webhook), 'event accepted');
    },
    duplicate: ({ event, webhook }: KeptEvent) => {
      duplicates.inc({ gateway: label(webhook.gateway) });
      log.debug(trace(event.id, webhook), 'duplicate webhook');
    },
    refused: (id: string, webhook: ReceivedWebhook, { code }: Refusal) => {
      const gateway = label(webhook.gateway);
      refused.inc({ gateway, reason: code });
      log.info({ ...trace(id, webhook), gateway, reason: code }, 'webhook refused');
    },
    notStored: (webhooks: number, error: unknown) => {
      lost.inc(webhooks);
      log.error({ err: error, webhooks }, 'webhooks could not be stored, their senders are told so');
    },
    /** Without an error: they came faster than the bus took them. */
    leftOut: (count: number, error: unknown) => {
      unpublished.inc(count);
      const events = unpublishedLine(count);
      if (events > 0) log.warn({ err: error, events }, 'events could not be published at once, the relay will');
    },
    relayed: (count: number) => {
      relayed.inc(count);
      log.info({ events: count }, 'events published again');
    },
    withoutPayload: (ids: readonly string[]) =>
      log.error({ events: ids }, 'events without a payload were never accepted and are removed'),
    entriesKept: (count: number, error: unknown) =>
      log.warn({ err: error, entries: count }, 'audit did not take entries, they will be handed over again'),
    done: (end: 'done' | 'dead', count: number) => done.inc({ end }, count),
    adapterFailed: (error: unknown) => log.error({ err: error }, 'an adapter failed'),
    inactive: (gateway: string, reason: string) => log.warn({ gateway, reason }, 'a gateway is not active'),
  };
}

/** Sums up what is to be told, and gives the sum once in so many milliseconds; 0 otherwise. */
function atMostEvery(interval: number): (count: number) => number {
  let sum = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return (count) => {
    sum += count;
    const now = performance.now();
    if (now - lastAt < interval) return 0;
    const told = sum;
    [sum, lastAt] = [0, now];
    return told;
  };
}
