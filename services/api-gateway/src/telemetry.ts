import { metricsOfService, type ServiceDeps } from '@order-automation/service';
import { Gauge } from 'prom-client';
import type { DenialReason } from './auth/authorise';
import type { Licence } from './licence';

export type WebhookOutcome = 'accepted' | 'refused' | 'unavailable' | 'overloaded' | 'too_slow' | 'aborted';
export type LoginOutcome = 'success' | 'wrong_password' | 'too_many_attempts';

export type Telemetry = ReturnType<typeof createTelemetry>;

export type TelemetryDeps = Pick<ServiceDeps, 'metrics' | 'log'> & { readonly bytesInFlight: () => number };

/** Metrics and log lines of the HTTP edge, one helper per business event. */
export function createTelemetry({ metrics, log, bytesInFlight }: TelemetryDeps) {
  const { counter, histogram } = metricsOfService(metrics, 'edge');
  new Gauge({
    name: 'order_automation_edge_body_bytes_in_flight',
    help: 'Bytes of request bodies in memory; INTAKE_BYTES_IN_FLIGHT limits them',
    registers: [metrics],
    collect() {
      this.set(bytesInFlight());
    },
  });
  const webhooks = histogram(
    'webhook_answer_seconds',
    'Seconds from the arrival of a webhook to its answer, by outcome',
    [0.005, 0.02, 0.1, 0.5, 2.5],
    ['outcome'],
  );
  const lost = counter(
    'webhooks_not_stored_total',
    'Webhooks answered success: false because too many were in memory, or intake could not be reached or could not store them for 8 s',
  );
  const logins = counter('logins_total', 'Logins by outcome', ['outcome']);
  const denials = counter(
    'requests_denied_total',
    'Requests refused for lack of identity, nonce, capability or licence',
    ['reason'],
  );
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
  const ends = metricsOfService(metrics, 'edge').gauge(
    'licence_expires_timestamp_seconds',
    'Unix time at which the licence expires; none for one that does not',
    ['edition'],
  );
  if (expires_at !== null) ends.set({ edition }, Date.parse(expires_at) / 1000);
}
