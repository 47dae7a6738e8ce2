import type { MessagePort } from 'node:worker_threads';
import type { RequestOutput } from '@order-automation/contracts';
import { listeners } from './dead-letters';
import { newDeadlines } from './deadlines';
import { BusError } from './errors';
import { newInHand } from './in-hand';
import { defaultTimeout } from './in-process-requests';
import { silent } from './log';
import { pack } from './packed';
import { checkedMessage } from './parse';
import type { Bus, Message, Subscription } from './port';
import type { AnyHandler } from './settle';
import { threadCalls } from './thread-calls';
import { fromThreadError, toThreadSettlements } from './thread-errors';
import type { Asked, AskedOfThread } from './thread-server';

type Responder = (input: unknown) => Promise<unknown>;

/**
 * The bus of this process in a thread that does not have it; `serveBus` is at the other end of the port. Messages are checked by their
 * schemas here, requests over there. Closing it leaves the bus as it is.
 */
export function threadBus(port: MessagePort): Bus {
  const handlers = new Map<number, AnyHandler>();
  const responders = new Map<number, Responder>();
  const ears = listeners(silent);
  let hearing = false;
  const asking = newInHand();
  const deadlines = newDeadlines();
  let state: 'open' | 'closed' = 'open';
  let closing: Promise<void> | undefined;
  let last = 0;

  const serve = async (name: string, value: unknown): Promise<unknown> => {
    switch (name as keyof AskedOfThread) {
      case 'deliver': {
        const { key, messages } = value as AskedOfThread['deliver'];
        const settlements = await handlers.get(key)?.(messages);
        return settlements ? toThreadSettlements(settlements) : null;
      }
      case 'answer': {
        const { key, input } = value as AskedOfThread['answer'];
        return responders.get(key)?.(input);
      }
      case 'letter': {
        const { letter, error } = value as AskedOfThread['letter'];
        ears.tell(error === null ? letter : { ...letter, error: fromThreadError(error) });
        return null;
      }
      default:
        throw new Error(`A thread was asked for ${name}`);
    }
  };
  const calls = threadCalls(port, serve, () => {
    state = 'closed';
  });
  const ask = <N extends keyof Asked>(name: N, value: Asked[N], texts?: readonly string[]): Promise<unknown> => {
    if (state === 'closed') return Promise.reject(new BusError('closed', 'The bus is closed.'));
    const job = calls.call(name, value, texts);
    asking.add(job.catch(() => undefined));
    return job;
  };
  /** Kept under a key until it is left. */
  const keep = async <Kept>(
    kept: Map<number, Kept>,
    one: Kept,
    join: (key: number) => Promise<unknown>,
  ): Promise<Subscription> => {
    last += 1;
    const key = last;
    kept.set(key, one);
    const leave = async (): Promise<void> => {
      await ask('leave', { key });
      kept.delete(key);
    };
    try {
      await join(key);
    } catch (error) {
      kept.delete(key);
      throw error;
    }
    let left: Promise<void> | undefined;
    return {
      close: () => {
        left ??= kept.has(key) ? leave() : Promise.resolve();
        return left;
      },
    };
  };
  const shutDown = async (): Promise<void> => {
    await Promise.all([...handlers.keys(), ...responders.keys()].map((key) => ask('leave', { key })));
    await asking.idle();
    state = 'closed';
    calls.close();
  };

  return {
    publish: async (messages) => {
      const list = ([messages].flat() as Message[]).map(checkedMessage);
      const heads = list.map(({ type, id }) => ({ type, id }));
      await ask('publish', heads, list.map(textOf));
    },
    subscribe: (type, group, handler, options = {}) =>
      keep(handlers, handler as unknown as AnyHandler, (key) => ask('subscribe', { key, type, group, options })),
    request: async (type, input, options = {}) => {
      // Counted here: over there the event loop may be busy.
      const { timeout = defaultTimeout } = options;
      const late = (): BusError => new BusError('timeout', `${type} was not answered within ${timeout} ms.`);
      return (await deadlines.within(ask('request', { type, input, options }), timeout, late)) as RequestOutput<
        typeof type
      >;
    },
    respond: (type, handler) => keep(responders, handler as Responder, (key) => ask('respond', { key, type })),
    onDeadLetter: (listener) => {
      ears.add(listener);
      if (!hearing) ask('letters', null).catch(() => undefined);
      hearing = true;
    },
    status: () => (state === 'open' ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
    close: () => {
      closing ??= state === 'closed' ? Promise.resolve() : shutDown().catch(ifNotGone);
      return closing;
    },
  };
}

/** Events hold no bytes: requests alone carry them. */
function textOf(message: Message): string {
  const { text, bytes } = pack(message);
  if (bytes.length > 0) throw new BusError('invalid_message', `The message ${message.type} holds bytes.`);
  return text;
}

/** A port that was closed meanwhile needs no closing. */
function ifNotGone(error: unknown): void {
  if (!(error instanceof BusError && error.code === 'closed')) throw error;
}
