import type { MessagePort } from 'node:worker_threads';
import { BusError } from './errors';
import { pack, unpack } from './packed';
import { fromThreadError, type ThreadError, toThreadError } from './thread-errors';

/** A value on its way to another thread: text, and the bytes of it, which move there; and texts that nobody reads on the way. */
type Packet = { readonly text: string; readonly bytes?: Uint8Array; readonly texts?: readonly string[] };

type Sent =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly packet: Packet }
  | { readonly kind: 'done'; readonly id: number; readonly packet: Packet }
  | { readonly kind: 'failed'; readonly id: number; readonly error: ThreadError };

/** Carries out what the other thread asks for; null stands for nothing. What it rejects with is what the other thread sees. */
export type Serve = (name: string, value: unknown, texts: readonly string[]) => Promise<unknown>;

export type ThreadCalls = {
  /** Written down when it is called: changing the value later changes nothing. Rejects with what the other thread threw, or BusError `closed`. */
  call(name: string, value: unknown, texts?: readonly string[]): Promise<unknown>;
  /** Ends it on both sides; whoever waits is told `closed`. Idempotent. */
  close(): void;
};

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/**
 * Calls between two threads of this process, over one port, both ways. Values cross as what JSON holds of them, and bytes as bytes; they
 * arrive in the order in which they were sent. `onClosed` is told when the port is closed, by whomever, or its thread has ended.
 */
export function threadCalls(port: MessagePort, serve: Serve, onClosed: () => void = () => undefined): ThreadCalls {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let closed = false;

  const send = (sent: Sent): void => {
    if (closed) return;
    const { bytes } = sent.kind === 'failed' ? {} : sent.packet;
    port.postMessage(sent, bytes ? [bytes.buffer as ArrayBuffer] : []);
  };
  const answer = async (id: number, name: string, packet: Packet): Promise<void> => {
    try {
      const value = await serve(name, opened(packet), packet.texts ?? []);
      send({ kind: 'done', id, packet: packetOf(value) });
    } catch (error) {
      send({ kind: 'failed', id, error: toThreadError(error) });
    }
  };
  port.on('message', (sent: Sent) => {
    if (sent.kind === 'call') return void answer(sent.id, sent.name, sent.packet);
    const one = waiting.get(sent.id);
    waiting.delete(sent.id);
    if (sent.kind === 'done') one?.resolve(opened(sent.packet));
    else one?.reject(fromThreadError(sent.error));
  });
  port.once('close', () => {
    closed = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
    onClosed();
  });

  return {
    call: (name, value, texts) => {
      if (closed) return Promise.reject(gone());
      return new Promise((resolve, reject) => {
        const packet = texts ? { ...packetOf(value), texts } : packetOf(value);
        last += 1;
        waiting.set(last, { resolve, reject });
        send({ kind: 'call', id: last, name, packet });
      });
    },
    close: () => port.close(),
  };
}

function gone(): BusError {
  return new BusError('closed', 'The other thread is gone.');
}

function packetOf(value: unknown): Packet {
  const { text, bytes } = pack(value ?? null);
  if (bytes.length === 0) return { text };
  const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of bytes) {
    all.set(part, offset);
    offset += part.length;
  }
  return { text, bytes: all };
}

function opened({ text, bytes }: Packet): unknown {
  const value: unknown = JSON.parse(text);
  return bytes ? unpack(value, bytes.length, (from, to) => bytes.subarray(from, to)) : value;
}
