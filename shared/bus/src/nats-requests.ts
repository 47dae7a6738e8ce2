import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import { ServiceError } from '@order-automation/contracts';
import type { Msg } from 'nats';
import { decode, encode } from './codec';
import { BusError } from './errors';
import { defaultTimeout } from './in-process-requests';
import type { BusLog } from './log';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import { parts } from './nats-parts';
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
  const { wrap, unwrap } = parts(link);

  const request = async <T extends RequestType>(
    type: T,
    input: RequestInput<T>,
    { timeout = defaultTimeout }: RequestOptions = {},
  ): Promise<RequestOutput<T>> => {
    const bytes = encode(parseInput(type, input));
    const trouble = link.trouble();
    if (trouble) throw new BusError(link.nc.isClosed() ? 'closed' : 'unavailable', trouble);
    const { data, headers, withdraw } = wrap(bytes);
    try {
      const msg = await link.ask(names.subject(type), data, { timeout, ...(headers ? { headers } : {}) });
      const answer = decode(await unwrap(msg, timeout)) as Partial<{ ok: unknown; error: unknown }> | null;
      if (answer && typeof answer === 'object' && 'ok' in answer) return parseOutput(type, answer.ok);
      throw fromWireError(answer?.error);
    } catch (error) {
      throw inWordsOf(type, timeout, error);
    } finally {
      withdraw();
    }
  };

  const answerTo = async (
    type: RequestType,
    handler: (input: unknown) => Promise<unknown>,
    msg: Msg,
  ): Promise<Answer> => {
    let input: unknown;
    try {
      input = parseInput(type, decode(await unwrap(msg, partWithin)));
    } catch (error) {
      log.warn({ type, err: error }, 'a request could not be read');
      const code = error instanceof BusError && error.code === 'too_large' ? 'too_large' : 'invalid_message';
      return {
        error: { kind: 'bus', code, message: error instanceof BusError ? error.message : `${type} is not valid.` },
      };
    }
    try {
      return { ok: parseOutput(type, await handler(input)) };
    } catch (error) {
      if (!(error instanceof ServiceError) && !isOutage(error)) log.error({ err: error, type }, 'a responder failed');
      return { error: toWireError(error, type) };
    }
  };

  const send = (type: RequestType, msg: Msg, answer: Answer): void => {
    if (link.nc.isClosed()) return;
    try {
      const { data, headers } = wrap(encode(answer));
      msg.respond(data, headers ? { headers } : {});
    } catch (error) {
      log.error({ err: error, type }, 'an answer could not be sent');
      msg.respond(encode({ error: toWireError(error, type) }));
    }
  };

  const respond: NatsRequests['respond'] = async (type, handler) => {
    const inFlight = new Set<Promise<void>>();
    const subscription = link.nc.subscribe(names.subject(type), {
      queue,
      callback: (error, msg) => {
        if (error || !msg.reply) return;
        const job = answerTo(type, handler, msg).then((answer) => {
          send(type, msg, answer);
          inFlight.delete(job);
        });
        inFlight.add(job);
      },
    });
    await link.flush();
    return async () => {
      if (!link.nc.isClosed()) subscription.unsubscribe();
      await Promise.all(inFlight);
      await link.flush();
    };
  };
  return { request, respond };
}

function inWordsOf(type: RequestType, timeout: number, error: unknown): unknown {
  if (!(error instanceof BusError)) return error;
  if (error.code === 'timeout') return new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
  if (error.code === 'no_responder') return new BusError('no_responder', `Nobody answers ${type}.`);
  return error;
}
