import type { Bus } from '@order-automation/bus';
import type { StepResult } from '@order-automation/contracts';
import { type Attributes, inSpans, type Span, type Tracing } from '@order-automation/service';
import type { Tried } from './deliveries/outcome';
import type { DeliveryQueue, Send } from './deliveries/queue';
import type { EvaluationDocument } from './evaluation-document';
import type { Claims } from './ports/claims';
import type { Shop } from './ports/shop';
import { liveSteps } from './shadow';
import type { Telemetry } from './telemetry';

/** The ports of evaluation with spans around what they do for a traced event; they do the same. */
export type EvaluationTracing = {
  claims(claims: Claims): Claims;
  shop(shop: Shop): Shop;
  telemetry(telemetry: Telemetry): Telemetry;
  queue(queue: DeliveryQueue): DeliveryQueue;
  /** For the requests to the log. */
  auditBus(bus: Bus): Bus;
};

/** An event in work: its span, and why the try failed. */
type Evaluating = { readonly span: Span; error?: unknown };

const same = <Port>(port: Port): Port => port;
const untraced: EvaluationTracing = { claims: same, shop: same, telemetry: same, queue: same, auditBus: same };

export function evaluationTracing(tracing: Tracing | undefined): EvaluationTracing {
  if (!tracing) return untraced;
  const evaluating = new Map<string, Evaluating>();
  const spanOf = (eventId: string | undefined): string | undefined =>
    eventId === undefined ? undefined : evaluating.get(eventId)?.span.traceparent;
  return {
    claims: (claims) => ({ ...claims, holding: tracedHolding(claims, tracing, evaluating) }),
    shop: (shop) => ({ ...shop, apply: tracedApply(shop, tracing, spanOf) }),
    telemetry: (telemetry) => ({
      ...telemetry,
      failed: (document, error) => {
        const known = evaluating.get(document._id);
        if (known) known.error = error;
        telemetry.failed(document, error);
      },
    }),
    queue: (queue) => ({
      ...queue,
      add: (outgoing, context) => {
        const traceparent = spanOf(context._id);
        const cause = traceparent === undefined ? context.cause : { ...context.cause, traceparent };
        return queue.add(outgoing, { ...context, cause });
      },
    }),
    auditBus: (bus) => ({ ...bus, request: tracedRecording(bus, tracing, spanOf) }),
  };
}

/** One span for each try of an event, from its claim until its lease is given up. */
function tracedHolding(claims: Claims, tracing: Tracing, evaluating: Map<string, Evaluating>): Claims['holding'] {
  return async (document, work) => {
    const { _id, cause } = document;
    const attributes = { 'order_automation.event_id': _id, 'order_automation.origin': document.origin };
    const span = tracing.span('evaluate event', cause.traceparent, { attributes });
    if (!span) return claims.holding(document, work);
    const known: Evaluating = { span };
    evaluating.set(_id, known);
    try {
      const ended = await claims.holding(document, work);
      span.end({ ...verdictOf(document), 'order_automation.outcome': String(ended) }, known.error);
      return ended;
    } catch (error) {
      span.end(verdictOf(document), error);
      throw error;
    } finally {
      evaluating.delete(_id);
    }
  };
}

function verdictOf({ order_id, found_by, steps: all, tries, cause }: EvaluationDocument): Attributes {
  const steps = liveSteps(all);
  return {
    'order_automation.order_id': order_id,
    'order_automation.order_found_by': found_by,
    'order_automation.rules_evaluated': steps.length,
    'order_automation.rules_matched': steps.flatMap(({ matched, rule_id }) => (matched ? [rule_id] : [])),
    'order_automation.actions': steps.reduce((sum, { actions }) => sum + actions.length, 0),
    'order_automation.failed_tries': tries,
    'order_automation.test': cause.is_test,
  };
}

function tracedApply(
  shop: Shop,
  tracing: Tracing,
  spanOf: (eventId: string | undefined) => string | undefined,
): Shop['apply'] {
  return async (step) => {
    const { cause, order_id, commands } = step;
    const span = tracing.span('apply to order', spanOf(cause.event_id), {
      kind: 'client',
      attributes: {
        'order_automation.order_id': order_id,
        'order_automation.rule_id': cause.rules?.at(-1),
        'order_automation.commands': commands.length,
      },
    });
    if (!span) return shop.apply(step);
    return inSpans([span], async () => {
      const result = await shop.apply({ ...step, cause: { ...cause, traceparent: span.traceparent } });
      span.end({ 'order_automation.result': result.kind }, failureOf(result));
      return result;
    });
  };
}

const failureOf = ({ kind }: StepResult): unknown => (kind === 'unavailable' ? { code: kind } : undefined);

/** The call carries its span to the other side. */
export function tracedSend(kind: 'webhook' | 'email', send: Send, tracing: Tracing | undefined): Send {
  if (!tracing) return send;
  return async (delivery) => {
    const span = tracing.span(`deliver ${kind}`, delivery.traceparent, {
      kind: 'client',
      attributes: { 'server.address': delivery.channel, 'order_automation.resends': delivery.resends },
    });
    if (!span) return send(delivery);
    return inSpans([span], async () => {
      const tried = await send(delivery, span.traceparent);
      const status = 'status' in tried ? tried.status : null;
      const statusName = kind === 'webhook' ? 'http.response.status_code' : 'smtp.response.status_code';
      const attributes = { [statusName]: status, 'order_automation.result': tried.kind };
      span.end(attributes, failureOfSending(tried));
      return tried;
    });
  };
}

function failureOfSending(tried: Tried): unknown {
  if (tried.kind === 'failed') return { code: tried.cause };
  return tried.kind === 'unsent' ? { code: 'refused' } : undefined;
}

/** What the log takes in one request belongs to several events: a trace of its own then, linked to each. */
function tracedRecording(bus: Bus, tracing: Tracing, spanOf: (eventId: string) => string | undefined): Bus['request'] {
  return async (type, input, options) => {
    if (type !== 'audit.record.v2') return bus.request(type, input, options);
    const { records } = input as { readonly records: readonly { readonly uid: string }[] };
    const parents = records.flatMap(({ uid }) => spanOf(uid) ?? []);
    const settings = { kind: 'client' as const, attributes: { 'order_automation.records': records.length } };
    const span =
      parents.length > 1
        ? tracing.linked('record in the log', parents, settings)
        : tracing.span('record in the log', parents[0], settings);
    return inSpans([span], async () => {
      const recorded = await bus.request(type, input, options);
      span?.end();
      return recorded;
    });
  };
}
