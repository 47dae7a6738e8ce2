import {
  type EventType,
  envelopeSchema,
  events,
  type Message,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  requests,
  violationsOf,
} from '@order-automation/contracts';
import { BusError } from './errors';

type Schema = { safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: unknown } };

const messageSchemas = new Map<string, Schema>(
  Object.entries(events).map(([type, data]) => [type, envelopeSchema.extend({ data })]),
);

function parse(schema: Schema, value: unknown, what: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const violations = violationsOf(result.error as Parameters<typeof violationsOf>[0]);
  const first = violations.slice(0, 3).map(({ path, message }) => `${path || 'it'}: ${message}`);
  throw new BusError('invalid_message', `${what} is not valid: ${first.join('; ')}`, { cause: result.error });
}

/** A message of a known type whose data fits its schema; BusError `invalid_message` otherwise. */
export function parseMessage(value: unknown): Message {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  const schema = typeof type === 'string' ? messageSchemas.get(type) : undefined;
  if (!schema) throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)?.slice(0, 200)}.`);
  return parse(schema, value, `The message ${type as string}`) as Message;
}

/** The event type, checked: a name from outside the contracts is BusError `invalid_message`. */
export function knownEvent(type: EventType): EventType {
  if (!messageSchemas.has(type))
    throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)}.`);
  return type;
}

function contract(type: RequestType): { input: Schema; output: Schema } {
  if (!Object.hasOwn(requests, type)) {
    throw new BusError('invalid_message', `There is no request type ${JSON.stringify(type)}.`);
  }
  return requests[type];
}

export function knownRequest(type: RequestType): RequestType {
  contract(type);
  return type;
}

export function parseInput<T extends RequestType>(type: T, value: unknown): RequestInput<T> {
  return parse(contract(type).input, value, `The request ${type}`) as RequestInput<T>;
}

export function parseOutput<T extends RequestType>(type: T, value: unknown): RequestOutput<T> {
  return parse(contract(type).output, value, `The answer to ${type}`) as RequestOutput<T>;
}
