import type { MessagePort } from 'node:worker_threads';
import type { EventType, RequestType } from '@order-automation/contracts';
import { BusError } from '../errors';
import type { InProcessBus } from '../in-process/in-process-bus';
import type { Settlement, SubscribeOptions, Subscription } from '../port';
import type { Written } from '../wire';
import { fromWireError, refusalOf } from '../wire-error';
import { portCalls } from './port-calls';

/** What a thread asks of the bus of its process. Both ends are of one build. */
export type HubCalls = {
  publish: readonly Written[];
  request: { readonly type: RequestType; readonly text: string };
  subscribe: {
    readonly key: number;
    readonly type: EventType;
    readonly group: string | null;
    readonly options: SubscribeOptions;
  };
  respond: { readonly key: number; readonly type: RequestType };
  /** Resolves when nothing is in flight for this key. */
  leave: { readonly key: number };
};

/** What the thread is asked in turn: to handle texts of events, or the text of a request. Errors of settlements cross in their wire form. */
export type ThreadCall = { readonly key: number; readonly input: unknown };

/** The settlement with its error, where it has one, in the form for the other side or for this one. */
export const withError = (value: Settlement, form: (error: unknown) => unknown): Settlement =>
  'error' in value && value.error !== undefined ? { ...value, error: form(value.error) } : value;

/** Lets the thread at the other end of the port use this bus (`threadBus`) until the port closes. The function returned closes it. */
export function serveBus(bus: InProcessBus, port: MessagePort): () => void {
  const held = new Map<number, Subscription>();
  const handle = (call: ThreadCall): Promise<unknown> => calls.call('handle', call);
  const serve: { [Name in keyof HubCalls]: (value: HubCalls[Name]) => unknown } = {
    publish: (messages) => bus.texts.publish(messages),
    request: ({ type, text }) => bus.texts.request(type, text),
    subscribe: ({ key, type, group, options }) => {
      const deliver = async (texts: readonly string[]): Promise<readonly Settlement[]> => {
        const settlements = (await handle({ key, input: texts })) as readonly Settlement[];
        return settlements.map((one) => withError(one, fromWireError));
      };
      held.set(key, bus.texts.subscribe(type, group, deliver, options));
    },
    respond: ({ key, type }) => {
      const answer = async (text: string): Promise<string> => {
        try {
          return (await handle({ key, input: text })) as string;
        } catch (error) {
          // The thread is gone, or has stopped answering.
          throw error instanceof BusError && error.code === 'invalid_message' ? error : refusalOf(error, type);
        }
      };
      held.set(key, bus.texts.respond(type, answer));
    },
    leave: async ({ key }) => {
      const subscription = held.get(key);
      held.delete(key);
      await subscription?.close();
    },
  };
  const calls = portCalls(
    port,
    async (name, value) => serve[name as keyof HubCalls](value as never),
    () => {
      for (const subscription of held.values()) void subscription.close();
      held.clear();
    },
  );
  return calls.close;
}
