import {
  type EventType,
  envelopeSchema,
  events,
  type Message,
  type Parser,
  parserOf,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  requests,
  violationsOf,
} from '@order-automation/contracts';
import { BusError } from './errors';

const messageParsers = new Map<string, Parser>(
  Object.entries(events).map(([type, data]) => [type, parserOf(envelopeSchema.extend({ data }))]),
);

type Contract = { readonly input: Parser; readonly output: Parser };

const contracts = new Map<string, Contract>(
  Object.entries(requests).map(([type, { input, output }]) => [
    type,
    { input: parserOf(input), output: parserOf(output) },
  ]),
);

function parse(parser: Parser, value: unknown, what: string): unknown {
  const result = parser(value);
  if (result.success) return result.data;
  const first = violationsOf(result.error)
    .slice(0, 3)
    .map(({ path, message }) => `${path || 'it'}: ${message}`);
  throw new BusError('invalid_message', `${what} is not valid: ${first.join('; ')}`, { cause: result.error });
}

/** A message of a known type whose data fits its schema; BusError `invalid_message` otherwise. */
export function parseMessage(value: unknown): Message {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  const parser = typeof type === 'string' ? messageParsers.get(type) : undefined;
  if (!parser) throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)?.slice(0, 200)}.`);
  return parse(parser, value, `The message ${type as string}`) as Message;
}

/** The event type, checked: a name from outside the contracts is BusError `invalid_message`. */
export function knownEvent(type: EventType): EventType {
  if (!messageParsers.has(type))
    throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)}.`);
  return type;
}

function contract(type: RequestType): Contract {
  const known = contracts.get(type);
  if (!known) throw new BusError('invalid_message', `There is no request type ${JSON.stringify(type)}.`);
  return known;
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
