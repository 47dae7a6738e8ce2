import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { ServiceError } from '@order-automation/contracts';
import type { Msg } from 'nats';
import { decode, encode } from './codec';
import { BusError } from './errors';
import { defaultTimeout } from './in-process-requests';
import type { BusLog } from './log';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import { type Parts, parts } from './nats-parts';
import { parseInput, parseOutput } from './parse';
import type { RequestOptions } from './port';
import { fromWireError, isOutage, toWireError, type WireError } from './wire-error';

export type NatsRequests = {
  request<T extends RequestType>(type: T, input: RequestInput<T>, options?: RequestOptions): Promise<RequestOutput<T>>;
  /** The function returned stops taking requests and waits for those in hand. */
  respond(type: RequestType, handler: (input: unknown) => Promise<unknown>): Promise<() => Promise<void>>;
};

type Answer = { readonly ok: unknown } | { readonly error: WireError };

const queue = 'responders';
/** Milliseconds in which each part of a large request must come. */
const partWithin = 5_000;

/** Core request and reply: one responder of the queue group answers. Nothing is kept for a responder that is away. */
export function natsRequests(link: Link, names: Names, log: BusLog): NatsRequests {
  const carrier = parts(link);
  return {
    request: (type, input, { timeout = defaultTimeout } = {}) =>
      ask(link, carrier, type, { subject: names.subject(type), input, timeout }),
    respond: async (type, handler) => {
      const inFlight = new Set<Promise<void>>();
      const take = async (msg: Msg): Promise<void> => {
        const answer = await answerTo(carrier, log, { type, handler, msg });
        if (!link.nc.isClosed()) send(carrier, log, { type, msg, answer });
      };
      const subscription = link.nc.subscribe(names.subject(type), {
        queue,
        callback: (error, msg) => {
          if (error || !msg.reply) return;
          const job = take(msg).finally(() => inFlight.delete(job));
          inFlight.add(job);
        },
      });
      await link.flush();
      return async () => {
        if (!link.nc.isClosed()) subscription.unsubscribe();
        await Promise.all(inFlight);
        await link.flush();
      };
    },
  };
}

type Question<T extends RequestType> = {
  readonly subject: string;
  readonly input: RequestInput<T>;
  readonly timeout: number;
};

async function ask<T extends RequestType>(
  link: Link,
  carrier: Parts,
  type: T,
  question: Question<T>,
): Promise<RequestOutput<T>> {
  const { subject, input, timeout } = question;
  const bytes = encode(parseInput(type, input));
  const trouble = link.trouble();
  if (trouble) throw new BusError(link.nc.isClosed() ? 'closed' : 'unavailable', trouble);
  const { data, headers, withdraw } = carrier.wrap(bytes);
  try {
    const msg = await link.ask(subject, data, { timeout, ...(headers ? { headers } : {}) });
    const answer = decode(await carrier.unwrap(msg, timeout)) as Partial<{ ok: unknown; error: unknown }> | null;
    if (answer && typeof answer === 'object' && 'ok' in answer) return parseOutput(type, answer.ok);
    throw fromWireError(answer?.error);
  } catch (error) {
    throw inWordsOf(type, timeout, error);
  } finally {
    withdraw();
  }
}

type Asked = {
  readonly type: RequestType;
  readonly handler: (input: unknown) => Promise<unknown>;
  readonly msg: Msg;
};

async function answerTo(carrier: Parts, log: BusLog, { type, handler, msg }: Asked): Promise<Answer> {
  let input: unknown;
  try {
    input = parseInput(type, decode(await carrier.unwrap(msg, partWithin)));
  } catch (error) {
    log.warn({ type, err: error }, 'a request could not be read');
    const code = error instanceof BusError && error.code === 'too_large' ? 'too_large' : 'invalid_message';
    const message = error instanceof BusError ? error.message : `${type} is not valid.`;
    return { error: { kind: 'bus', code, message } };
  }
  try {
    return { ok: parseOutput(type, await handler(input)) };
  } catch (error) {
    if (!(error instanceof ServiceError) && !isOutage(error)) log.error({ err: error, type }, 'a responder failed');
    return { error: toWireError(error, type) };
  }
}

type Sending = { readonly type: RequestType; readonly msg: Msg; readonly answer: Answer };

function send(carrier: Parts, log: BusLog, { type, msg, answer }: Sending): void {
  try {
    const { data, headers } = carrier.wrap(encode(answer));
    msg.respond(data, headers ? { headers } : {});
  } catch (error) {
    log.error({ err: error, type }, 'an answer could not be sent');
    msg.respond(encode({ error: toWireError(error, type) }));
  }
}

function inWordsOf(type: RequestType, timeout: number, error: unknown): unknown {
  if (!(error instanceof BusError)) return error;
  if (error.code === 'timeout') return new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
  if (error.code === 'no_responder') return new BusError('no_responder', `Nobody answers ${type}.`);
  return error;
}
