import { collecting, metricsOfTable, type ServiceDeps } from '@order-automation/service';
import type { DenialReason } from './auth/authorise';
import type { Licence } from './licence';
import table from './metrics.json';

export type WebhookOutcome = 'accepted' | 'refused' | 'unavailable' | 'overloaded' | 'too_slow' | 'aborted';

export type Telemetry = ReturnType<typeof createTelemetry>;

export type TelemetryDeps = Pick<ServiceDeps, 'metrics' | 'log'> & { readonly bytesInFlight: () => number };

/** Metrics and log lines of the HTTP edge, one helper per business event. */
export function createTelemetry({ metrics, log, bytesInFlight }: TelemetryDeps) {
  const { counters, gauges, histograms } = metricsOfTable(metrics, 'edge', table);
  collecting(gauges.body_bytes_in_flight, () => gauges.body_bytes_in_flight.set(bytesInFlight()));
  return {
    /** `seconds` from the first byte to the answer. */
    webhookAnswered: (outcome: WebhookOutcome, seconds: number) =>
      histograms.webhook_answer_seconds.observe({ outcome }, seconds),
    /** One was answered a failure that is not its sender's. */
    webhookMissed: () => counters.webhooks_not_stored_total.inc(),
    login: (outcome: 'success' | 'wrong_password' | 'too_many_attempts') => {
      counters.logins_total.inc({ outcome });
      if (outcome !== 'success') log.warn({ outcome }, 'a login was refused');
    },
    denied: (reason: DenialReason) => counters.requests_denied_total.inc({ reason }),
  };
}

/** The end of a licence that ends, for an alert. */
export function licenceMetric(metrics: ServiceDeps['metrics'], { edition, expires_at }: Licence): void {
  const { gauges } = metricsOfTable(metrics, 'edge', table);
  if (expires_at !== null) gauges.licence_expires_timestamp_seconds.set({ edition }, Date.parse(expires_at) / 1000);
}
