import { headers } from 'nats';
import { BusError } from './errors';
import { fifo } from './fifo';
import type { Link } from './nats-link';

/** Bytes that headers and protocol may take of `max_payload`. */
export const headRoom = 1024;

export type Outgoing = { readonly subject: string; readonly data: Uint8Array; readonly duplicateId: string };

/** Publishes to JetStream in order, many at a time without waiting in between. */
export type Publisher = {
  /** Resolves when the server has stored all; rejects with the first failure: BusError `unavailable`, `timeout`, `too_large` or `closed`. */
  send(messages: readonly Outgoing[]): Promise<void>;
  /** Resolves when nothing is under way. */
  drained(): Promise<void>;
};

type Job = Outgoing & { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Sent and not yet acknowledged, at most: the server's own queue holds 10,000 for everybody. */
const maxInFlight = 1_024;
const acknowledgeWithin = 5_000;

/** `restore` makes the streams again; it is called when nobody takes a message, once for all that wait. */
export function publisher(link: Link, restore: () => Promise<void>): Publisher {
  const waiting = fifo<Job>();
  const idle: (() => void)[] = [];
  let inFlight = 0;
  let restoring: Promise<void> | undefined;

  const restored = (): Promise<void> => {
    restoring ??= restore().finally(() => {
      restoring = undefined;
    });
    return restoring;
  };

  const sendOne = async ({ subject, data, duplicateId }: Outgoing): Promise<void> => {
    const head = headers();
    head.set('Nats-Msg-Id', duplicateId);
    const answer = await link.ask(subject, data, { timeout: acknowledgeWithin, headers: head });
    confirm(answer.data);
  };

  const settle = async (job: Job): Promise<void> => {
    try {
      await sendOne(job).catch(async (error: unknown) => {
        if (!(error instanceof BusError) || error.code !== 'no_responder') throw error;
        await restored();
        await sendOne(job);
      });
      job.resolve();
    } catch (error) {
      const lost = error instanceof BusError && error.code === 'no_responder';
      job.reject(lost ? new BusError('unavailable', `No stream takes ${job.subject}.`, { cause: error }) : error);
    }
    inFlight -= 1;
    pump();
  };

  function pump(): void {
    while (inFlight < maxInFlight && waiting.length > 0) {
      for (const job of waiting.take(maxInFlight - inFlight)) {
        inFlight += 1;
        void settle(job);
      }
    }
    if (inFlight === 0) for (const resolve of idle.splice(0)) resolve();
  }

  return {
    send: async (messages) => {
      const limit = link.maxPayload() - headRoom;
      const tooLarge = messages.find(({ data }) => data.length > limit);
      const trouble = link.trouble();
      if (trouble) throw new BusError(link.nc.isClosed() ? 'closed' : 'unavailable', trouble);
      if (tooLarge) {
        const { subject, data } = tooLarge;
        throw new BusError('too_large', `${subject}: ${data.length} bytes do not fit; max_payload allows ${limit}.`);
      }
      const acknowledged = messages.map(
        (message) => new Promise<void>((resolve, reject) => waiting.push({ ...message, resolve, reject })),
      );
      pump();
      const failure = (await Promise.allSettled(acknowledged)).find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    },
    drained: () =>
      inFlight === 0 && waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
  };
}

/** An acknowledgement is `{stream, seq, duplicate?}` or `{error: {code, description}}`. */
function confirm(data: Uint8Array): void {
  let answer: { seq?: unknown; error?: { description?: unknown } };
  try {
    answer = JSON.parse(Buffer.from(data).toString('utf8'));
  } catch (cause) {
    throw new BusError('unavailable', 'JetStream answered something that is not an acknowledgement.', { cause });
  }
  if (typeof answer?.seq === 'number' && answer.error === undefined) return;
  throw new BusError('unavailable', `JetStream did not take the message: ${String(answer?.error?.description)}`);
}
