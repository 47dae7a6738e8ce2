import type { WireError, WireErrors } from './wire-errors';

export type Call<Asked> = { readonly id: number; readonly asked: Asked };
export type Reply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: WireError };

/** What goes to the other side together. */
export type Group<Asked> = readonly (Call<Asked> | Reply)[];

export type Calls<Asked> = ReturnType<typeof newCalls<Asked>>;

export type CallOptions<Asked> = {
  readonly send: (group: Group<Asked>) => void;
  readonly errors: WireErrors;
  /** Called when the first call begins to wait for its reply, and when none does any more. */
  readonly onWaiting?: (isWaiting: boolean) => void;
};

/** Calls to another thread and the replies to them. Values cross as structured clones. */
export function newCalls<Asked>({ send, errors, onWaiting = () => undefined }: CallOptions<Asked>) {
  const pending = newPending();
  let outgoing: (Call<Asked> | Reply)[] = [];
  let ended: (() => Error) | undefined;

  const flush = (): void => {
    const group = outgoing;
    outgoing = [];
    if (!ended && group.length > 0) send(group);
  };
  const enqueue = (sent: Call<Asked> | Reply, urgent: boolean): void => {
    const isFirst = outgoing.push(sent) === 1;
    if (urgent) queueMicrotask(flush);
    else if (isFirst) setImmediate(flush);
  };

  return {
    /** Sends what has not gone yet. */
    flush,
    /**
     * Rejects with what the other side failed with. Calls of one turn of the event loop travel together; one that is `urgent` goes, with what
     * was asked before, as soon as the code that asks pauses. Deadlines are the caller's.
     */
    call: <V>(asked: Asked, urgent = false): Promise<V> => {
      if (ended) return Promise.reject(ended());
      if (pending.size() === 0) onWaiting(true);
      return new Promise<V>((resolve, reject) => enqueue({ id: pending.add({ resolve, reject }), asked }, urgent));
    },
    reply: (reply: Reply): void => enqueue(reply, true),
    /** Settles the call that this reply belongs to. */
    settle: (reply: Reply): void => {
      const waiting = pending.take(reply.id);
      if (reply.ok) waiting?.resolve(reply.value as never);
      else waiting?.reject(errors.read(reply.error) ?? new Error('The other thread failed.'));
      if (pending.size() === 0) onWaiting(false);
    },
    /** The other side is gone: calls in flight and new ones reject. */
    end: (gone: () => Error): void => {
      ended = gone;
      for (const { reject } of pending.takeAll()) reject(gone());
    },
  };
}

type Pending = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/** Calls in flight by id. Ids are reused: a Map with ever new keys is rebuilt again and again, and its old tables live until the next full collection. */
function newPending() {
  const places: (Pending | undefined)[] = [];
  const free: number[] = [];
  return {
    size: () => places.length - free.length,
    add: (waiting: Pending): number => {
      const id = free.pop() ?? places.length;
      places[id] = waiting;
      return id;
    },
    take: (id: number): Pending | undefined => {
      const waiting = places[id];
      if (waiting === undefined) return undefined;
      places[id] = undefined;
      free.push(id);
      return waiting;
    },
    takeAll: (): Pending[] => {
      free.length = 0;
      return places.splice(0).filter((waiting) => waiting !== undefined);
    },
  };
}
