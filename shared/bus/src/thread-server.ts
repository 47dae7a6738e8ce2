import type { MessagePort } from 'node:worker_threads';
import type { EventType, RequestInput, RequestType } from '@order-automation/contracts';
import type { InProcessBus } from './in-process-bus';
import type { Parcel } from './in-process-groups';
import type { DeadLetter, Message, RequestOptions, Settlement, SubscribeOptions, Subscription } from './port';
import { threadCalls } from './thread-calls';
import { fromThreadSettlements, type ThreadError, toThreadError } from './thread-errors';

/** What a thread asks of the bus of its process. Both ends are of one build: what arrives is what the other sent. */
export type Asked = {
  /** The JSON of each message is a text of its own, read when it is delivered. */
  publish: readonly { readonly type: string; readonly id: string }[];
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
export function serveBus(bus: InProcessBus, port: MessagePort): () => void {
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

  async function serve(name: string, value: unknown, texts: readonly string[]): Promise<unknown> {
    switch (name as keyof Asked) {
      case 'publish':
        return bus.publishParcels(parcelsOf(value as Asked['publish'], texts));
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

function parcelsOf(heads: Asked['publish'], texts: readonly string[]): Parcel[] {
  return heads.map(({ type, id }, index) => {
    const text = texts[index] as string;
    return { type, id, weight: text.length, open: () => JSON.parse(text) as Message };
  });
}
