import type { BatchHandler, Bus, EventType, Message, Settlement } from '@order-automation/bus';
import { type Attributes, inSpans, type Span, type Tracing } from './tracing';

type Carried = Pick<Message, 'id' | 'type'> & { readonly data: unknown };

/** Where a message carries its trace: an event of a webhook itself, a change of an order with its cause. */
type Carrier = { readonly traceparent?: string; readonly cause?: { readonly traceparent?: string } };

function traceparentOf({ data }: Carried): string | undefined {
  const { traceparent, cause } = data as Carrier;
  return traceparent ?? cause?.traceparent;
}

function continued<M extends Carried>(message: M, span: Span | undefined): M {
  if (!span) return message;
  const { traceparent } = span;
  const data = message.data as Carrier;
  return {
    ...message,
    data: data.cause ? { ...data, cause: { ...data.cause, traceparent } } : { ...data, traceparent },
  };
}

/**
 * The bus with a producer span for each event that is published and a consumer span for each that is handled (messaging conventions of
 * OpenTelemetry), where the event belongs to a trace. Each goes on as the parent of what follows. `system` is `messaging.system`.
 */
export function tracedBus(bus: Bus, tracing: Tracing, system: 'nats' | 'in_process'): Bus {
  const start = (message: Carried, kind: 'producer' | 'consumer', attributes: Attributes): Span | undefined =>
    tracing.span(`${kind === 'producer' ? 'send' : 'process'} ${message.type}`, traceparentOf(message), {
      kind,
      attributes: {
        'messaging.system': system,
        'messaging.operation.type': kind === 'producer' ? 'send' : 'process',
        'messaging.operation.name': kind === 'producer' ? 'publish' : 'handle',
        'messaging.destination.name': message.type,
        'messaging.message.id': message.id,
        ...attributes,
      },
    });
  return {
    ...bus,
    publish: async (messages) => {
      const list = [messages].flat() as Message[];
      const spans = list.map((message) => start(message, 'producer', batchOf(list)));
      await inSpans(spans, async () => {
        await bus.publish(list.map((message, index) => continued(message, spans[index])));
        for (const span of spans) span?.end();
      });
    },
    subscribe: (type, group, handler, options) =>
      bus.subscribe(type, group, tracedHandler(handler, group, start), options),
  };
}

type Start = (message: Carried, kind: 'consumer', attributes: Attributes) => Span | undefined;

function tracedHandler<T extends EventType>(handler: BatchHandler<T>, group: string | null, start: Start) {
  const traced: BatchHandler<T> = async (messages) => {
    const attributes = { 'messaging.consumer.group.name': group, ...batchOf(messages) };
    const spans = messages.map((message) => start(message, 'consumer', attributes));
    return inSpans(spans, async () => {
      const settled = await handler(messages.map((message, index) => continued(message, spans[index])));
      for (const [index, span] of spans.entries()) span?.end({}, errorOf(settled?.[index]));
      return settled;
    });
  };
  return traced;
}

const batchOf = ({ length }: readonly unknown[]): Attributes =>
  length > 1 ? { 'messaging.batch.message_count': length } : {};

function errorOf(settlement: Settlement | undefined): unknown {
  if (settlement === undefined || settlement.kind === 'done') return undefined;
  return settlement.error ?? { code: settlement.kind };
}
