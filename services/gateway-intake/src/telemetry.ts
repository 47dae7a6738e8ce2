import type { ReceivedWebhook } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Refusal } from './gateways/refusal';
import type { InboxDocument } from './inbox/inbox';

export type Telemetry = ReturnType<typeof intakeTelemetry>;

/** One helper per business event: metric and log line together. `gateways` are the names that labels may have. */
export function intakeTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>, gateways: ReadonlySet<string>) {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers: [metrics] });
  const events = counter(
    'order_automation_intake_events_accepted_total',
    'Events stored before the answer, by gateway',
    ['gateway'],
  );
  const refused = counter('order_automation_intake_webhooks_refused_total', 'Webhooks refused, by gateway and reason', [
    'gateway',
    'reason',
  ]);
  const duplicates = counter(
    'order_automation_intake_duplicates_total',
    'Copies of events that were stored before, by gateway',
    ['gateway'],
  );
  const lost = counter(
    'order_automation_intake_store_failures_total',
    'Webhooks answered success:false because they could not be stored',
  );
  const limited = counter(
    'order_automation_intake_rate_limited_total',
    'Webhooks that proved nothing and were refused without a record: too many of one address',
  );
  const unpublished = counter(
    'order_automation_intake_publish_failures_total',
    'Events that could not be published at once; the relay does it later',
  );
  const unpublishedLine = atMostEvery(10_000);
  const relayed = counter(
    'order_automation_intake_relayed_total',
    'Events published again because nobody reported them done',
  );
  const done = counter(
    'order_automation_intake_events_done_total',
    'Events that evaluation reported finished, by end',
    ['end'],
  );
  const duration = new Histogram({
    name: 'order_automation_intake_receive_duration_seconds',
    help: 'From the arrival of a group until all of it is verified, normalised and flushed',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  const label = (gateway: string) => (gateways.has(gateway) ? gateway : 'unknown');
  const oldest = new Gauge({
    name: 'order_automation_intake_oldest_unfinished_seconds',
    help: 'Age of the oldest event that evaluation has not finished',
    registers: [metrics],
  });
  const oldestLine = atMostEvery(15 * 60_000);
  const trace = ({ _id, process_id, event }: InboxDocument) => ({
    event_id: _id,
    process_id,
    gateway: event.sourceGateway,
  });
  return {
    received: (webhooks: number, seconds: number) => {
      duration.observe(seconds);
      log.debug({ webhooks, duration_ms: seconds * 1000 }, 'webhooks received');
    },
    accepted: (documents: readonly InboxDocument[]) => {
      const counts = new Map<string, number>();
      for (const { event } of documents) counts.set(event.sourceGateway, (counts.get(event.sourceGateway) ?? 0) + 1);
      for (const [gateway, count] of counts) events.inc({ gateway: label(gateway) }, count);
      if (!log.isLevelEnabled('debug')) return;
      for (const document of documents) log.debug(trace(document), 'event accepted');
    },
    duplicate: (copy: InboxDocument) => {
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
    leftOut: (count: number, error: unknown) => {
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
    /** `seconds`: age of the oldest event that nobody has finished; 0 when there is none. */
    oldest: (seconds: number) => {
      oldest.set(seconds);
      if (seconds < alarmAge || oldestLine(1) === 0) return;
      log.error({ age_seconds: Math.round(seconds) }, 'an event has been waiting for evaluation for a long time');
    },
    flood: (webhooks: number, addresses: number) => {
      limited.inc(webhooks);
      log.warn({ webhooks, addresses }, 'webhooks that proved nothing were refused without a record');
    },
    adapterFailed: (error: unknown) => log.error({ err: error }, 'an adapter failed'),
    attention: (gateway: string, reason: string) => log.warn({ gateway, reason }, 'a gateway needs attention'),
  };
}

/** Seconds after which an unfinished event is alarmed: longer than an order is waited for (`ORDER_WAIT`, 24 h). */
const alarmAge = 25 * 60 * 60;

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
