import {
  type EventType,
  envelopeSchema,
  events,
  holdsBytes,
  type Message,
  plainWords,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  requests,
} from '@order-automation/contracts';
import { z } from 'zod';
import { BusError } from './errors';

/** Values of one schema and the JSON they travel as. Both directions throw BusError `invalid_message` for what does not fit. */
type Codec<Value> = { encode(value: Value): string; parse(json: unknown): Value };

const inWords = { error: plainWords };

/** A message as it travels. */
export type Written = { readonly type: EventType; readonly text: string };

function codecOf<Value>(schema: z.ZodType, what: string): Codec<Value> {
  // Compiled on first use: a process uses few schemas.
  let compiled: { readonly schema: z.ZodType; readonly bytes: boolean } | undefined;
  const known = () => {
    compiled ??= { schema: z.compile(schema), bytes: holdsBytes(schema) };
    return compiled;
  };
  const checked = (result: z.ZodSafeParseResult<unknown>): unknown => {
    if (result.success) return result.data;
    const first = result.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    throw new BusError('invalid_message', `${what} is not valid: ${first.join('; ')}`, { cause: result.error });
  };
  const encode = (value: Value): string => {
    const { schema: fast, bytes } = known();
    return asJson(checked(bytes ? z.safeEncode(schema, value, inWords) : fast.safeParse(value, inWords)));
  };
  return { encode, parse: (json) => checked(known().schema.safeParse(json, inWords)) as Value };
}

const messages = new Map<string, Codec<Message>>(
  Object.entries(events).map(([type, data]) => [
    type,
    codecOf(envelopeSchema.extend({ type: z.literal(type), data }), `The message ${type}`),
  ]),
);

type Exchange = { readonly input: Codec<unknown>; readonly output: Codec<unknown> };

const exchanges = new Map<string, Exchange>(
  Object.entries(requests).map(([type, { input, output }]) => [
    type,
    { input: codecOf(input, `The request ${type}`), output: codecOf(output, `The answer to ${type}`) },
  ]),
);

function messageCodec(type: unknown): Codec<Message> {
  const codec = typeof type === 'string' ? messages.get(type) : undefined;
  if (codec) return codec;
  throw new BusError('invalid_message', `There is no event type ${JSON.stringify(type)?.slice(0, 200)}.`);
}

/** How one request type travels. Throws BusError `invalid_message` for a name from outside the contracts. */
export function exchangeOf<T extends RequestType>(type: T) {
  const exchange = exchanges.get(type);
  if (!exchange) throw new BusError('invalid_message', `There is no request type ${JSON.stringify(type)}.`);
  return exchange as { readonly input: Codec<RequestInput<T>>; readonly output: Codec<RequestOutput<T>> };
}

/** The event type, checked: a name from outside the contracts is BusError `invalid_message`. */
export function knownEvent(type: EventType): EventType {
  messageCodec(type);
  return type;
}

export function writeMessages(list: Message | readonly Message[]): Written[] {
  return ([list].flat() as Message[]).map((message) => ({
    type: message?.type,
    text: messageCodec(message?.type).encode(message),
  }));
}

/** A message of that type; a fresh one each time. Throws BusError `invalid_message` for anything else. */
export const readMessage = (type: EventType, text: string): Message => messageCodec(type).parse(parseJson(text));

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BusError('invalid_message', 'The message is not JSON.', { cause });
  }
}

/** Open parts of a schema may hold what JSON cannot: cycles, bigints. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new BusError('invalid_message', 'The message cannot be written as JSON.', { cause });
  }
}
