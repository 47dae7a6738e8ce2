import type { IncomingMessage } from 'node:http';
import type { Span, Tracing } from '@order-automation/service';
import type { WebhookOutcome } from '../telemetry';
import type { WebhookAddress } from './address';

/** The server span of a webhook, from its head to its answer: begins the trace, or continues that of the sender's `traceparent`. */
export function webhookSpan(
  tracing: Tracing,
  { headersDistinct }: IncomingMessage,
  { connection }: WebhookAddress,
  processId: string,
): Span | undefined {
  const route = connection === null ? '/v1/webhooks/{gateway}' : '/v1/webhooks/generic/{connection}';
  const { traceparent = [] } = headersDistinct;
  return tracing.begin(`POST ${route}`, traceparent.length === 1 ? traceparent[0] : undefined, {
    kind: 'server',
    attributes: { 'http.request.method': 'POST', 'http.route': route, 'order_automation.process_id': processId },
  });
}

const ours: ReadonlySet<WebhookOutcome> = new Set(['unavailable', 'overloaded']);

/** A refusal is the sender's affair: of what we could not store alone the span is an error. */
export function endWebhookSpan(span: Span, outcome: WebhookOutcome): void {
  const attributes = { 'http.response.status_code': 200, 'order_automation.outcome': outcome };
  span.end(attributes, ours.has(outcome) ? { code: outcome } : undefined);
}
