import { newInFlight } from '@order-automation/base';
import type { RequestInput, RequestType } from '@order-automation/contracts';
import type { Msg } from 'nats';
import { BusError } from '../errors';
import type { BusLog, RequestOptions } from '../port';
import { ask, newResponders, type Responder, type TextResponder } from '../requests';
import { parseJson } from '../wire';
import { busErrors, fromWireError } from '../wire-error';
import type { Link } from './nats-link';
import type { Names } from './nats-names';

const queue = 'responders';

/** Core request and reply: one responder of the queue group answers, one of this process before others. Requests are not queued for a missing responder. */
export function natsRequests(link: Link, names: Names, log: BusLog) {
  const responders = newResponders();
  return {
    request: <T extends RequestType>(type: T, input: RequestInput<T>, options: RequestOptions = {}) =>
      ask(type, input, options, {
        value: responders.valueResponder(type),
        text: async (text, timeout) => {
          const data = Buffer.from(text);
          link.mustCarry(type, data.length);
          // The driver's own deadline is the second to pass: ours has the words.
          const answer = link.nc.request(names.subject(type), data, { timeout: timeout + 1_000 });
          return textOfAnswer(await link.connected(answer).catch((error: unknown) => rethrowNoResponder(type, error)));
        },
      }),
    /** The function returned stops taking requests and waits for those in flight. */
    respond: async (type: RequestType, responder: Required<Responder>): Promise<() => Promise<void>> => {
      const inFlight = newInFlight();
      const take = async (msg: Msg): Promise<void> => {
        const answer = await answerTo(responder.text, msg.string());
        if (!link.nc.isClosed()) send(link, log, { type, msg, answer });
      };
      const subscription = link.nc.subscribe(names.subject(type), {
        queue,
        callback: (error, msg) => {
          if (!error && msg.reply) inFlight.add(take(msg));
        },
      });
      await link.flush();
      const leave = responders.add(type, responder);
      return async () => {
        const left = leave();
        // Requests that the server has sent here already are still taken.
        if (!link.nc.isClosed()) await subscription.drain();
        await Promise.all([left, inFlight.idle()]);
        await link.flush();
      };
    },
  };
}

/** An answer is `{"ok": output}` or `{"error": …}`. */
async function answerTo(responder: TextResponder, text: string): Promise<string> {
  try {
    return `{"ok":${await responder(text)}}`;
  } catch (error) {
    return JSON.stringify({ error: busErrors.write(error) });
  }
}

function textOfAnswer(msg: Msg): string {
  const text = msg.string();
  if (text.startsWith('{"ok":')) return text.slice('{"ok":'.length, -1);
  throw fromWireError((parseJson(text) as { error?: unknown } | null)?.error);
}

type Sending = { readonly type: RequestType; readonly msg: Msg; readonly answer: string };

function send(link: Link, log: BusLog, { type, msg, answer }: Sending): void {
  const data = Buffer.from(answer);
  try {
    link.mustCarry(`The answer to ${type}`, data.length);
    msg.respond(data);
  } catch (error) {
    log.error({ err: error, type }, 'an answer could not be sent');
    msg.respond(JSON.stringify({ error: busErrors.write(error) }));
  }
}

function rethrowNoResponder(type: RequestType, error: unknown): never {
  if (error instanceof BusError && error.code === 'no_responder') {
    throw new BusError('no_responder', `No responder answers ${type}.`, { cause: error });
  }
  throw error;
}
