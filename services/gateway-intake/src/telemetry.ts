import type { ServiceDeps } from '@order-automation/service';
import { Counter, Histogram } from 'prom-client';
import type { InboxDocument } from './inbox';

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
  const relayed = counter('intake_relayed_total', 'Events published again because nobody reported them done');
  const done = counter('intake_events_done_total', 'Events that evaluation reported finished, by end', ['end']);
  const duration = new Histogram({
    name: 'intake_receive_duration_seconds',
    help: 'From the arrival of a group until all of it is verified, normalised and flushed',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  const label = (gateway: string) => (gateways.has(gateway) ? gateway : 'unknown');
  const trace = ({ _id, process_id, gateway }: InboxDocument) => ({ event_id: _id, process_id, gateway });
  return {
    received: (webhooks: number, seconds: number) => {
      duration.observe(seconds);
      log.debug({ webhooks, duration_ms: seconds * 1000 }, 'webhooks received');
    },
    accepted: (document: InboxDocument) => {
      events.inc({ gateway: label(document.gateway) });
      if (log.isLevelEnabled('debug')) log.debug(trace(document), 'event accepted');
    },
    duplicate: (document: InboxDocument) => {
      duplicates.inc({ gateway: label(document.gateway) });
      if (log.isLevelEnabled('debug')) log.debug(trace(document), 'duplicate webhook');
    },
    refused: (document: InboxDocument) => {
      const reason = document.refusal?.code ?? 'unknown';
      refused.inc({ gateway: label(document.gateway), reason });
      log.info({ ...trace(document), gateway: label(document.gateway), reason }, 'webhook refused');
    },
    notStored: (webhooks: number, error: unknown) => {
      lost.inc(webhooks);
      log.error({ err: error, webhooks }, 'webhooks could not be stored, their senders are told so');
    },
    notPublished: (count: number, error: unknown) => {
      unpublished.inc(count);
      log.warn({ err: error, events: count }, 'events could not be published, the relay will');
    },
    relayed: (count: number) => {
      relayed.inc(count);
      log.info({ events: count }, 'events published again');
    },
    entriesKept: (count: number, error: unknown) =>
      log.warn({ err: error, entries: count }, 'audit did not take entries, they will be handed over again'),
    done: (end: 'done' | 'dead', count: number) => done.inc({ end }, count),
    adapterFailed: (error: unknown) => log.error({ err: error }, 'an adapter failed'),
    inactive: (gateway: string, reason: string) => log.warn({ gateway, reason }, 'a gateway is not active'),
  };
}
