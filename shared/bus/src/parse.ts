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
  type Unshare,
  unshareOf,
  violationsOf,
} from '@order-automation/contracts';
import { copyOf } from './copy';
import { BusError } from './errors';

/** How values of one schema are parsed, and where a parsed one is not its own. */
type Form = { readonly parser: Parser; readonly unshare: Unshare | undefined };

function formOf(schema: Parameters<typeof parserOf>[0]): Form {
  return { parser: parserOf(schema), unshare: unshareOf(schema) };
}

const messageForms = new Map<string, Form>(
  Object.entries(events).map(([type, data]) => [type, formOf(envelopeSchema.extend({ data }))]),
);

type Contract = { readonly input: Form; readonly output: Form };

const contracts = new Map<string, Contract>(
  Object.entries(requests).map(([type, { input, output }]) => [type, { input: formOf(input), output: formOf(output) }]),
);

function parse({ parser }: Form, value: unknown, what: string): unknown {
  const result = parser(value);
  if (result.success) return result.data;
  const first = violationsOf(result.error)
    .slice(0, 3)
    .map(({ path, message }) => `${path || 'it'}: ${message}`);
  throw new BusError('invalid_message', `${what} is not valid: ${first.join('; ')}`, { cause: result.error });
}

function own(form: Form, value: unknown, what: string): unknown {
  const parsed = parse(form, value, what);
  return form.unshare ? form.unshare(parsed, copyOf) : parsed;
}

function formOfMessage(value: unknown): { form: Form; what: string } {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  const form = typeof type === 'string' ? messageForms.get(type) : undefined;
  if (!form) throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)?.slice(0, 200)}.`);
  return { form, what: `The message ${type as string}` };
}

/** A message of a known type whose data fits its schema; BusError `invalid_message` otherwise. */
export function parseMessage(value: unknown): Message {
  const { form, what } = formOfMessage(value);
  return parse(form, value, what) as Message;
}

/** The same, sharing nothing with `value`. */
export function ownMessage(value: unknown): Message {
  const { form, what } = formOfMessage(value);
  return own(form, value, what) as Message;
}

/** The event type, checked: a name from outside the contracts is BusError `invalid_message`. */
export function knownEvent(type: EventType): EventType {
  if (!messageForms.has(type)) throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)}.`);
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

/** The same, sharing nothing with `value`. */
export function ownInput(type: RequestType, value: unknown): unknown {
  return own(contract(type).input, value, `The request ${type}`);
}

/** The same, sharing nothing with `value`. */
export function ownOutput(type: RequestType, value: unknown): unknown {
  return own(contract(type).output, value, `The answer to ${type}`);
}
