import type { MessagePort } from 'node:worker_threads';
import { BusError } from './errors';
import { fromWireError, toWireError, type WireError } from './wire-error';

type Sent =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: WireError };

/** Carries out what the other side asks for. What it rejects with is what the other side sees. */
export type Serve = (name: string, value: unknown) => Promise<unknown>;

export type PortCalls = {
  /** Rejects with what the other side threw, or BusError `closed`. Deadlines are the caller's. */
  call(name: string, value: unknown): Promise<unknown>;
  /** Ends it on both sides; calls in flight fail as `closed`. Idempotent. */
  close(): void;
};

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/**
 * Calls and replies over a message port, both ways, in the order in which they were sent. Values cross as structured clones. `onClosed` is
 * called when either side closes the port or its thread has ended.
 */
export function portCalls(port: MessagePort, serve: Serve, onClosed: () => void = () => undefined): PortCalls {
  const pending = new Map<number, Pending>();
  let last = 0;
  let closed = false;

  const send = (sent: Sent): void => {
    if (!closed) port.postMessage(sent);
  };
  const answer = async (id: number, name: string, value: unknown): Promise<void> => {
    try {
      send({ kind: 'done', id, value: await serve(name, value) });
    } catch (error) {
      send({ kind: 'failed', id, error: toWireError(error) });
    }
  };
  port.on('message', (sent: Sent) => {
    if (sent.kind === 'call') return void answer(sent.id, sent.name, sent.value);
    const call = pending.get(sent.id);
    pending.delete(sent.id);
    if (sent.kind === 'done') call?.resolve(sent.value);
    else call?.reject(fromWireError(sent.error));
  });
  port.once('close', () => {
    closed = true;
    for (const { reject } of pending.values()) reject(gone());
    pending.clear();
    onClosed();
  });

  return {
    call: (name, value) => {
      if (closed) return Promise.reject(gone());
      return new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        send({ kind: 'call', id: last, name, value });
      });
    },
    close: () => port.close(),
  };
}

function gone(): BusError {
  return new BusError('closed', 'The other thread is gone.');
}
