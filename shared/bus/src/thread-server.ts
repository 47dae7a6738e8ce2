import type { MessagePort } from 'node:worker_threads';
import type { EventType, RequestInput, RequestType } from '@order-automation/contracts';
import type { Bus, DeadLetter, Message, RequestOptions, Settlement, SubscribeOptions, Subscription } from './port';
import { threadCalls } from './thread-calls';
import { fromThreadSettlements, type ThreadError, toThreadError } from './thread-errors';

/** What a thread asks of the bus of its process. Both ends are of one build: what arrives is what the other sent. */
export type Asked = {
  publish: { messages: readonly Message[] };
  request: { type: RequestType; input: unknown; options: RequestOptions };
  subscribe: { key: number; type: EventType; group: string | null; options: SubscribeOptions };
  respond: { key: number; type: RequestType };
  /** Resolves when nothing is in hand for this key. */
  leave: { key: number };
  letters: null;
};

/** What the thread is asked in turn. */
export type AskedOfThread = {
  deliver: { key: number; messages: readonly Message[] };
  answer: { key: number; input: unknown };
  letter: { letter: Omit<DeadLetter, 'error'>; error: ThreadError | null };
};

/**
 * Lets the thread at the other end of the port use this bus (`threadBus`). What it subscribed and answers ends when the port is closed.
 * The function returned closes it.
 */
export function serveBus(bus: Bus, port: MessagePort): () => void {
  const held = new Map<number, Subscription>();
  const calls = threadCalls(port, serve, () => {
    for (const subscription of held.values()) void subscription.close();
    held.clear();
  });

  const deliverTo =
    (key: number) =>
    async (messages: readonly Message[]): Promise<void | readonly Settlement[]> => {
      const settlements = await calls.call('deliver', { key, messages } satisfies AskedOfThread['deliver']);
      return settlements === null ? undefined : fromThreadSettlements(settlements as never);
    };

  const askFor =
    (key: number) =>
    (input: unknown): Promise<never> =>
      calls.call('answer', { key, input } satisfies AskedOfThread['answer']) as Promise<never>;

  async function serve(name: string, value: unknown): Promise<unknown> {
    switch (name as keyof Asked) {
      case 'publish':
        return bus.publish((value as Asked['publish']).messages);
      case 'request': {
        const { type, input, options } = value as Asked['request'];
        return bus.request(type, input as RequestInput<typeof type>, options);
      }
      case 'subscribe': {
        const { key, type, group, options } = value as Asked['subscribe'];
        held.set(key, await bus.subscribe(type, group, deliverTo(key), options));
        return null;
      }
      case 'respond': {
        const { key, type } = value as Asked['respond'];
        held.set(key, await bus.respond(type, askFor(key)));
        return null;
      }
      case 'leave': {
        const { key } = value as Asked['leave'];
        const subscription = held.get(key);
        held.delete(key);
        return subscription?.close();
      }
      case 'letters':
        bus.onDeadLetter(({ error, ...letter }) => {
          const told: AskedOfThread['letter'] = { letter, error: error === undefined ? null : toThreadError(error) };
          calls.call('letter', told).catch(() => undefined);
        });
        return null;
      default:
        throw new Error(`A thread asked for ${name}`);
    }
  }

  return calls.close;
}
