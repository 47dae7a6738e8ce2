import type { MessagePort } from 'node:worker_threads';
import { listeners } from './dead-letters';
import { BusError } from './errors';
import { newInFlight } from './in-flight';
import { type BusLog, silent } from './log';
import type { Bus, Subscription } from './port';
import { portCalls } from './port-calls';
import { ask, newResponders, respondingTo, type TextResponder } from './requests';
import { type AnyHandler, readingFor, type TextHandler } from './settle';
import { type Asked, type AskedOfThread, withError, withWireError } from './thread-server';
import { knownEvent, writeMessages } from './wire';

/**
 * The bus of this process in a thread that does not have it; `serveBus` is at the other end of the port. What a responder of this thread answers
 * is not asked over there. Closing it leaves the bus as it is.
 */
export function threadBus(port: MessagePort, log: BusLog = silent): Bus {
  const handlers = new Map<number, TextHandler>();
  const answerers = new Map<number, TextResponder>();
  const responders = newResponders();
  const hearing = listeners(silent);
  const inFlight = newInFlight();
  let heard = false;
  let open = true;
  let closing: Promise<void> | undefined;
  let last = 0;

  const serve: { [Name in keyof AskedOfThread]: (asked: AskedOfThread[Name]) => unknown } = {
    deliver: async ({ key, texts }) => (await mustHave(handlers, key)(texts)).map(withWireError),
    answer: ({ key, text }) => mustHave(answerers, key)(text),
    letter: (letter) => hearing.tell(withError(letter)),
  };
  const calls = portCalls(
    port,
    async (name, value) => serve[name as keyof AskedOfThread](value as never),
    () => {
      open = false;
    },
  );
  const askBus = <Name extends keyof Asked>(name: Name, value: Asked[Name]): Promise<unknown> => {
    if (!open) return Promise.reject(new BusError('closed', 'The bus is closed.'));
    const job = calls.call(name, value);
    inFlight.add(job.catch(() => undefined));
    return job;
  };
  /** Kept under a key until it leaves. */
  const keep = async <Kept>(
    kept: Map<number, Kept>,
    one: Kept,
    join: (key: number) => Promise<unknown>,
  ): Promise<Subscription> => {
    last += 1;
    const key = last;
    kept.set(key, one);
    await join(key).catch((error: unknown) => {
      kept.delete(key);
      throw error;
    });
    let left: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      await askBus('leave', { key });
      kept.delete(key);
    };
    return {
      close: () => {
        left ??= kept.has(key) ? leave() : Promise.resolve();
        return left;
      },
    };
  };
  const shutDown = async (): Promise<void> => {
    await responders.idle();
    await Promise.all([...handlers.keys(), ...answerers.keys()].map((key) => askBus('leave', { key })));
    await inFlight.idle();
    open = false;
    calls.close();
  };

  return {
    publish: async (messages) => {
      await askBus('publish', writeMessages(messages));
    },
    subscribe: async (type, group, handler, options = {}) => {
      const reader = readingFor(knownEvent(type), handler as unknown as AnyHandler);
      return keep(handlers, reader, (key) => askBus('subscribe', { key, type, group, options }));
    },
    request: async (type, input, options = {}) => {
      if (!open) throw new BusError('closed', 'The bus is closed.');
      return ask(type, input, options, (text) =>
        responders.has(type) ? responders.ask(type, text) : (askBus('request', { type, text }) as Promise<string>),
      );
    },
    respond: async (type, handler) => {
      const responder = respondingTo(type, handler, log);
      const there = await keep(answerers, responder, (key) => askBus('respond', { key, type }));
      const leave = responders.add(type, responder);
      return {
        close: async () => {
          await Promise.all([leave(), there.close()]);
        },
      };
    },
    onDeadLetter: (listener) => {
      hearing.add(listener);
      if (!heard) askBus('letters', null).catch(() => undefined);
      heard = true;
    },
    status: () => (open ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
    close: () => {
      closing ??= open ? shutDown().catch(unlessGone) : Promise.resolve();
      return closing;
    },
  };
}

function mustHave<Kept>(kept: ReadonlyMap<number, Kept>, key: number): Kept {
  const found = kept.get(key);
  if (!found) throw new Error('What was asked for has left this thread.');
  return found;
}

/** A port that was closed meanwhile needs no closing. */
function unlessGone(error: unknown): void {
  if (!(error instanceof BusError && error.code === 'closed')) throw error;
}
