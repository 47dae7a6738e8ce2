import type { MessagePort } from 'node:worker_threads';
import { newInFlight, once } from '@order-automation/base';
import { BusError } from '../errors';
import { type Bus, type BusLog, type Subscription, silent } from '../port';
import { ask, newResponders, respondingTo } from '../requests';
import { type AnyHandler, readingFor } from '../settle';
import { knownEvent, writeMessages } from '../wire';
import { busErrors } from '../wire-error';
import { portCalls, type Serve } from './port-calls';
import { type HubCalls, type ThreadCall, withError } from './thread-server';

/**
 * The bus of this process in a thread that does not have it; `serveBus` is at the other end of the port. What a responder of this thread answers
 * is not asked over there. Closing it leaves the bus as it is.
 */
export function threadBus(port: MessagePort, log: BusLog = silent): Bus {
  const registered = newRegistrations();
  const responders = newResponders();
  const inFlight = newInFlight();
  let open = true;
  const serve: Serve = async (_name, value) => {
    const { key, input } = value as ThreadCall;
    return registered.get(key)(input);
  };
  const calls = portCalls(port, serve, () => {
    open = false;
  });
  const askBus: AskBus = (name, value) => {
    if (!open) return Promise.reject(new BusError('closed', 'The bus is closed.'));
    const job = calls.call(name, value);
    inFlight.add(job.catch(() => undefined));
    return job;
  };
  const shutDown = async (): Promise<void> => {
    await responders.idle();
    await Promise.all([...registered.keys()].map((key) => askBus('leave', { key })));
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
      const deliver: Handle = async (texts) =>
        (await reader(texts as readonly string[])).map((one) => withError(one, busErrors.write));
      return registered.join(deliver, askBus, (key) => askBus('subscribe', { key, type, group, options }));
    },
    request: (type, input, options = {}) =>
      ask(type, input, options, (text) =>
        open && responders.has(type)
          ? responders.ask(type, text)
          : (askBus('request', { type, text }) as Promise<string>),
      ),
    respond: async (type, handler) => {
      const responder = respondingTo(type, handler, log);
      const answer: Handle = (text) => responder(text as string);
      const there = await registered.join(answer, askBus, (key) => askBus('respond', { key, type }));
      const leave = responders.add(type, responder);
      return { close: async () => void (await Promise.all([leave(), there.close()])) };
    },
    status: () => (open ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
    close: once(async () => (open ? shutDown().catch(unlessGone) : undefined)),
  };
}

type AskBus = <Name extends keyof HubCalls>(name: Name, value: HubCalls[Name]) => Promise<unknown>;

let lastKey = 0;

/** Handles what the bus of the other side has for one that joined it. */
type Handle = (input: unknown) => Promise<unknown>;

/** What joined the bus of the other side, by the key it is known by there. */
function newRegistrations() {
  const joined = new Map<number, Handle>();
  return {
    keys: () => joined.keys(),
    get: (key: number): Handle => {
      const found = joined.get(key);
      if (!found) throw new Error('What was asked for has left this thread.');
      return found;
    },
    join: async (one: Handle, askBus: AskBus, announce: (key: number) => Promise<unknown>): Promise<Subscription> => {
      lastKey += 1;
      const key = lastKey;
      joined.set(key, one);
      await announce(key).catch((error: unknown) => {
        joined.delete(key);
        throw error;
      });
      const leave = async (): Promise<void> => {
        await askBus('leave', { key });
        joined.delete(key);
      };
      return { close: once(async () => (joined.has(key) ? leave() : undefined)) };
    },
  };
}

/** A port that was closed meanwhile needs no closing. */
function unlessGone(error: unknown): void {
  if (!(error instanceof BusError && error.code === 'closed')) throw error;
}
