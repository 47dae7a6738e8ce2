import { gunzipSync, gzipSync } from 'node:zlib';
import { newInFlight } from '@order-automation/base';
import type { RequestInput, RequestType } from '@order-automation/contracts';
import type { Msg } from 'nats';
import { BusError } from '../errors';
import type { BusLog, RequestOptions } from '../port';
import { ask, newResponders, type Responder } from '../requests';
import { parseJson } from '../wire';
import { busErrors, fromWireError } from '../wire-error';
import { headRoom, type Link } from './nats-link';
import type { Names } from './nats-names';

const queue = 'responders';

/** Core request and reply: one responder of the queue group answers, one of this process before others. Requests are not queued for a missing responder. */
export function natsRequests(link: Link, names: Names, log: BusLog) {
  const responders = newResponders();
  return {
    request: <T extends RequestType>(type: T, input: RequestInput<T>, options: RequestOptions = {}) =>
      ask(type, input, options, async (text, timeout) => {
        if (responders.has(type)) return responders.ask(type, text);
        const data = Buffer.from(text);
        link.mustCarry(type, data.length);
        // The driver's own deadline is the second to pass: ours has the words.
        const answer = link.nc.request(names.subject(type), data, { timeout: timeout + 1_000 });
        return textOfAnswer(await link.connected(answer).catch((error: unknown) => rethrowNoResponder(type, error)));
      }),
    /** The function returned stops taking requests and waits for those in flight. */
    respond: async (type: RequestType, responder: Responder): Promise<() => Promise<void>> => {
      const inFlight = newInFlight();
      const take = async (msg: Msg): Promise<void> => {
        const answer = await answerTo(responder, msg.string());
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

/** An answer is `{"ok": output}` or `{"error": …}`; one that does not fit into a message is compressed and begins as gzip does, with 0x1f. */
async function answerTo(responder: Responder, text: string): Promise<string> {
  try {
    return `{"ok":${await responder(text)}}`;
  } catch (error) {
    return JSON.stringify({ error: busErrors.write(error) });
  }
}

function textOfAnswer(msg: Msg): string {
  const isCompressed = msg.data[0] === 0x1f;
  const text = isCompressed ? gunzipSync(msg.data, { maxOutputLength: 2 ** 28 }).toString() : msg.string();
  if (text.startsWith('{"ok":')) return text.slice('{"ok":'.length, -1);
  throw fromWireError((parseJson(text) as { error?: unknown } | null)?.error);
}

function send(link: Link, log: BusLog, { type, msg, answer }: { type: RequestType; msg: Msg; answer: string }): void {
  const text = Buffer.from(answer);
  const data = text.length > link.maxPayload() - headRoom ? gzipSync(text, { level: 1 }) : text;
  try {
    link.mustCarry(`The answer to ${type}`, data.length);
    msg.respond(data);
  } catch (error) {
    log.error({ err: error, type }, 'an answer could not be sent');
    msg.respond(JSON.stringify({ error: busErrors.write(error) }));
  }
}

function rethrowNoResponder(type: RequestType, error: unknown): never {
  if (error instanceof BusError && error.code === 'no_responder')
    throw new BusError('no_responder', `No responder answers ${type}.`, { cause: error });
  throw error;
}
