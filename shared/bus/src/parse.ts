import {
  type Copier,
  copierOf,
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
import { copyOf, copyPart } from './copy';
import { BusError } from './errors';

/** How values of one schema are parsed, and how what fits it is copied, with what the schema adds and leaves out. */
type Form = { readonly parser: Parser; copier(): Copier | undefined };

function formOf(schema: Parameters<typeof parserOf>[0]): Form {
  let known: { readonly copier: Copier | undefined } | undefined;
  return {
    parser: parserOf(schema),
    copier: () => {
      known ??= { copier: copierOf(schema, copyPart) };
      return known.copier;
    },
  };
}

const messageForms = new Map<string, Form>(
  Object.entries(events).map(([type, data]) => [type, formOf(envelopeSchema.extend({ data }))]),
);

type Contract = { readonly input: Form; readonly output: Form };

const contracts = new Map<string, Contract>(
  Object.entries(requests).map(([type, { input, output }]) => [type, { input: formOf(input), output: formOf(output) }]),
);

function parse({ parser }: Form, value: unknown, what: string): unknown {
  const result = parser.parse(value);
  if (result.success) return result.data;
  const first = violationsOf(result.error)
    .slice(0, 3)
    .map(({ path, message }) => `${path || 'it'}: ${message}`);
  throw new BusError('invalid_message', `${what} is not valid: ${first.join('; ')}`, { cause: result.error });
}

function own(form: Form, value: unknown, what: string): unknown {
  const copier = form.copier();
  return copier && form.parser.fits(value) ? copier(value) : copyOf(parse(form, value, what));
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

/** A message of a known type whose data fits, for who writes it down at once; BusError `invalid_message` otherwise. */
export function checkedMessage(value: unknown): Message {
  const { form, what } = formOfMessage(value);
  return given(form, value, what) as Message;
}

/** A copy of a message that was parsed before. */
export function copyOfMessage(message: Message): Message {
  const copier = messageForms.get(message.type)?.copier();
  return (copier ? copier(message) : copyOf(message)) as Message;
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

/** The value itself when it fits as it is, else what `own` makes of it. */
function given(form: Form, value: unknown, what: string): unknown {
  return form.parser.fits(value) ? value : own(form, value, what);
}

/** The same of an input that was given away. */
export function givenInput(type: RequestType, value: unknown): unknown {
  return given(contract(type).input, value, `The request ${type}`);
}

/** The same of an answer that was given away. */
export function givenOutput(type: RequestType, value: unknown): unknown {
  return given(contract(type).output, value, `The answer to ${type}`);
}

/** The same, sharing nothing with `value`. */
export function ownInput(type: RequestType, value: unknown): unknown {
  return own(contract(type).input, value, `The request ${type}`);
}

/** The same, sharing nothing with `value`. */
export function ownOutput(type: RequestType, value: unknown): unknown {
  return own(contract(type).output, value, `The answer to ${type}`);
}
