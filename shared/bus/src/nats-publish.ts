import { headers } from 'nats';
import { BusError } from './errors';
import type { Link } from './nats-link';
import { newPipeline } from './pipeline';

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
  let restoring: Promise<void> | undefined;
  const restored = (): Promise<void> => {
    restoring ??= restore().finally(() => {
      restoring = undefined;
    });
    return restoring;
  };
  const run = async (job: Job): Promise<void> => {
    try {
      await store(link, job).catch(async (error: unknown) => {
        if (!isNobody(error)) throw error;
        await restored();
        await store(link, job);
      });
      job.resolve();
    } catch (error) {
      const text = `No stream takes ${job.subject}.`;
      job.reject(isNobody(error) ? new BusError('unavailable', text, { cause: error }) : error);
    }
  };
  const pipeline = newPipeline<Job>(maxInFlight, run);
  return {
    send: async (messages) => {
      mustFit(link, messages);
      const stored = messages.map(
        (message) => new Promise<void>((resolve, reject) => pipeline.add({ ...message, resolve, reject })),
      );
      const failure = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    },
    drained: pipeline.drained,
  };
}

async function store(link: Link, { subject, data, duplicateId }: Outgoing): Promise<void> {
  const head = headers();
  head.set('Nats-Msg-Id', duplicateId);
  const answer = await link.ask(subject, data, { timeout: acknowledgeWithin, headers: head });
  confirm(answer.data);
}

function isNobody(error: unknown): boolean {
  return error instanceof BusError && error.code === 'no_responder';
}

function mustFit(link: Link, messages: readonly Outgoing[]): void {
  const trouble = link.trouble();
  if (trouble) throw new BusError(link.nc.isClosed() ? 'closed' : 'unavailable', trouble);
  const limit = link.maxPayload() - headRoom;
  const tooLarge = messages.find(({ data }) => data.length > limit);
  if (!tooLarge) return;
  const { subject, data } = tooLarge;
  throw new BusError('too_large', `${subject}: ${data.length} bytes do not fit; max_payload allows ${limit}.`);
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
