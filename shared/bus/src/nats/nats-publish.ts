import { joined, newInFlight } from '@order-automation/base';
import { BusError } from '../errors';
import type { Written } from '../wire';
import type { Link } from './nats-link';
import type { Names } from './nats-names';

const acknowledgeWithin = 5_000;
/** Messages and characters of one envelope: members of a group share envelopes. */
const maxTogether = 16;
const maxCharacters = 256 * 1024;

/**
 * Publishes to JetStream, in order, without waiting for one message before the next. `restore` makes the streams again; it is called when no stream
 * takes a message, once for all that wait.
 */
export function newPublisher(link: Link, names: Names, restore: () => Promise<void>) {
  const inFlight = newInFlight();
  const restored = joined(restore);
  const once = (subject: string, data: Buffer) =>
    link.connected(link.js.publish(subject, data, { timeout: acknowledgeWithin }));
  const store = async (subject: string, text: string): Promise<void> => {
    const data = Buffer.from(text);
    link.mustCarry(subject, data.length);
    await once(subject, data).catch(async (error: unknown) => {
      if (!hasNoResponder(error)) throw error;
      await restored();
      await once(subject, data);
    });
  };
  const publishOne = (subject: string, text: string): Promise<void> => {
    const job = store(subject, text).catch((error: unknown) => {
      throw hasNoResponder(error)
        ? new BusError('unavailable', `No stream takes ${subject}.`, { cause: error })
        : error;
    });
    inFlight.add(job.catch(() => undefined));
    return job;
  };
  return {
    /**
     * Messages of one type that are published together travel in one message of JetStream, a line each. Resolves when
     * the server has stored them; rejects with BusError `unavailable`, `timeout`, `too_large` or `closed`.
     */
    publish: async (messages: readonly Written[]): Promise<void> => {
      const stored = envelopes(messages).map(({ type, text }) => publishOne(names.subject(type), text));
      const failure = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    },
    /** Resolves when nothing is in flight. */
    idle: inFlight.idle,
  };
}

/** What is published together, in few messages: one JSON text a line. */
export function envelopes(messages: readonly Written[]): Written[] {
  const made: { type: Written['type']; text: string; count: number }[] = [];
  for (const { type, text } of messages) {
    const last = made.at(-1);
    const fits = last?.type === type && last.count < maxTogether && last.text.length + text.length < maxCharacters;
    if (last && fits) {
      last.text += `\n${text}`;
      last.count += 1;
    } else made.push({ type, text, count: 1 });
  }
  return made;
}

const hasNoResponder = (error: unknown): boolean => error instanceof BusError && error.code === 'no_responder';
