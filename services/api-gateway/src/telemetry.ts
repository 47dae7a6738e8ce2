import type { ServiceDeps } from '@order-automation/service';
import { Counter, Histogram } from 'prom-client';
import type { DenialReason } from './auth/authorise';

export type WebhookOutcome = 'accepted' | 'refused' | 'unavailable' | 'overloaded' | 'aborted';
export type LoginOutcome = 'success' | 'wrong_password' | 'too_many_attempts';

export type Telemetry = {
  /** `seconds` from the first byte to the answer. */
  webhookAnswered(outcome: WebhookOutcome, seconds: number): void;
  /** Intake did not take a group of webhooks: their senders were told so. */
  groupLost(webhooks: number, error: unknown): void;
  login(outcome: LoginOutcome): void;
  denied(reason: DenialReason): void;
};

/** Metrics and log lines of the HTTP edge, one helper per business event. */
export function createTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>): Telemetry {
  const registers = [metrics];
  const webhooks = new Histogram({
    name: 'webhook_answer_seconds',
    help: 'Seconds from the arrival of a webhook to its answer, by outcome',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const lost = new Counter({
    name: 'webhooks_not_stored_total',
    help: 'Webhooks answered success: false because intake could not be reached or could not store them',
    registers,
  });
  const logins = new Counter({ name: 'logins_total', help: 'Logins by outcome', labelNames: ['outcome'], registers });
  const denials = new Counter({
    name: 'requests_denied_total',
    help: 'Requests refused for lack of identity, nonce, capability or licence',
    labelNames: ['reason'],
    registers,
  });
  return {
    webhookAnswered: (outcome, seconds) => webhooks.observe({ outcome }, seconds),
    groupLost: (count, error) => {
      lost.inc(count);
      log.error({ err: error, webhooks: count }, 'webhooks could not be handed to intake; their senders were told so');
    },
    login: (outcome) => {
      logins.inc({ outcome });
      if (outcome !== 'success') log.warn({ outcome }, 'a login was refused');
    },
    denied: (reason) => denials.inc({ reason }),
  };
}
