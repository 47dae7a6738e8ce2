import type { ServiceDeps } from '@order-automation/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { DenialReason } from './auth/authorise';
import type { Licence } from './licence';

export type WebhookOutcome = 'accepted' | 'refused' | 'unavailable' | 'overloaded' | 'too_slow' | 'aborted';
export type LoginOutcome = 'success' | 'wrong_password' | 'too_many_attempts';

export type Telemetry = ReturnType<typeof createTelemetry>;

export type TelemetryDeps = Pick<ServiceDeps, 'metrics' | 'log'> & { readonly bytesInFlight: () => number };

/** Metrics and log lines of the HTTP edge, one helper per business event. */
export function createTelemetry({ metrics, log, bytesInFlight }: TelemetryDeps) {
  const registers = [metrics];
  new Gauge({
    name: 'order_automation_edge_body_bytes_in_flight',
    help: 'Bytes of request bodies in memory; INTAKE_BYTES_IN_FLIGHT limits them',
    registers,
    collect() {
      this.set(bytesInFlight());
    },
  });
  const webhooks = new Histogram({
    name: 'order_automation_edge_webhook_answer_seconds',
    help: 'Seconds from the arrival of a webhook to its answer, by outcome',
    labelNames: ['outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2.5],
    registers,
  });
  const lost = new Counter({
    name: 'order_automation_edge_webhooks_not_stored_total',
    help: 'Webhooks answered success: false because too many were in memory, or intake could not be reached or could not store them for 8 s',
    registers,
  });
  const logins = new Counter({
    name: 'order_automation_edge_logins_total',
    help: 'Logins by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const denials = new Counter({
    name: 'order_automation_edge_requests_denied_total',
    help: 'Requests refused for lack of identity, nonce, capability or licence',
    labelNames: ['reason'],
    registers,
  });
  return {
    /** `seconds` from the first byte to the answer. */
    webhookAnswered: (outcome: WebhookOutcome, seconds: number) => webhooks.observe({ outcome }, seconds),
    /** One was answered a failure that is not its sender's. */
    webhookMissed: () => lost.inc(),
    login: (outcome: LoginOutcome) => {
      logins.inc({ outcome });
      if (outcome !== 'success') log.warn({ outcome }, 'a login was refused');
    },
    denied: (reason: DenialReason) => denials.inc({ reason }),
  };
}

/** The end of a licence that ends, for an alert. */
export function licenceMetric(metrics: ServiceDeps['metrics'], { edition, expires_at }: Licence): void {
  const ends = new Gauge({
    name: 'order_automation_edge_licence_expires_timestamp_seconds',
    help: 'Unix time at which the licence expires; none for one that does not',
    labelNames: ['edition'],
    registers: [metrics],
  });
  if (expires_at !== null) ends.set({ edition }, Date.parse(expires_at) / 1000);
}
