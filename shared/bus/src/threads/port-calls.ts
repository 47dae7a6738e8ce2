import type { MessagePort } from 'node:worker_threads';
import { type Call, type Group, newCalls } from '@order-automation/base';
import { BusError } from '../errors';
import { busErrors } from '../wire-error';

type Asked = { readonly name: string; readonly value: unknown };

/** Carries out what the other side asks for. What it rejects with is what the other side sees. */
export type Serve = (name: string, value: unknown) => Promise<unknown>;

/** Calls over a message port, both ways. `onClosed` is called when either side closes the port or its thread has ended. */
export function portCalls(port: MessagePort, serve: Serve, onClosed: () => void = () => undefined) {
  const calls = newCalls<Asked>({ send: (group) => port.postMessage(group), errors: busErrors });
  const answer = async ({ id, asked: { name, value } }: Call<Asked>): Promise<void> => {
    try {
      calls.reply({ id, ok: true, value: await serve(name, value) });
    } catch (error) {
      calls.reply({ id, ok: false, error: busErrors.write(error) });
    }
  };
  port.on('message', (group: Group<Asked>) => {
    for (const sent of group) {
      if ('asked' in sent) void answer(sent);
      else calls.settle(sent);
    }
  });
  port.once('close', () => {
    calls.end(() => new BusError('closed', 'The other thread is gone.'));
    onClosed();
  });
  return {
    /** Rejects with what the other side threw, or BusError `closed`. */
    call: (name: string, value: unknown): Promise<unknown> => calls.call({ name, value }, true),
    /** Ends it on both sides; calls in flight fail as `closed`. Idempotent. */
    close: (): void => {
      calls.flush();
      port.close();
    },
  };
}
