import { textOf } from '@order-automation/base';
import type { EventType, ServiceName } from '@order-automation/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats';
import { BusError } from '../errors';
import type { Names } from './nats-names';

export type ProvisionOptions = {
  /** Makes only what these services use. */
  readonly services?: readonly ServiceName[];
  readonly replicas: number;
  /** Milliseconds after which the server hands a message to somebody else, unless its holder says that it is at work. */
  readonly ackWait: number;
  /** Bytes of a stream; past them the server discards its oldest messages. */
  readonly streamBytes: number;
};

const minutes = 60_000;
const days = 24 * 60 * minutes;

/** The least that the server takes, in milliseconds: nothing is deduplicated, and messages carry no ids for it. */
const duplicateWindow = 100;
const maxAckPending = 8_192;

/** JetStream's code of an answer: https://docs.nats.io/reference/reference-protocols/nats_api_reference */
const errorCodes = {
  streamNotFound: 10059,
  consumerNotFound: 10014,
  clusterNeeded: 10074,
  noStorage: [10028, 10047],
  noJetStream: [10039, 10076],
};

export type Provision = ReturnType<typeof provision>;

/** Rejects with BusError `unavailable`, naming the setting where a setting is the reason. */
export function provision(jsm: JetStreamManager, names: Names, options: ProvisionOptions) {
  // Limits and not interest: a stream that was lost and made again must hold what is published before its consumers are back. The oldest is
  // discarded and nothing new refused: most of a stream is handled, and the store of its publisher publishes again what is not.
  const wanted: Partial<StreamConfig>[] = [...names.streams(options.services)].map(([name, subjects]) => ({
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: options.replicas,
    duplicate_window: nanos(duplicateWindow),
    max_age: nanos(days),
    max_msgs: 1_000_000,
    max_bytes: options.streamBytes,
  }));

  const streams = async (): Promise<void> => {
    await Promise.all(wanted.map((config) => asBusError(() => ensureStream(jsm, config))));
  };

  return {
    streamNames: wanted.map(({ name = '' }) => name),
    /** Makes the streams, or brings them up to what is needed. Safe to run in several processes at once, and again. */
    streams,
    /** Makes the durable consumer of a group, and its stream when it is gone. `since`: milliseconds; earlier messages are not wanted. */
    consumer: async (type: EventType, group: string, since: number): Promise<void> => {
      const stream = names.stream(type);
      const name = names.consumer(type, group);
      const config = consumerConfig(name, names.subject(type), since, options);
      const ensure = () => asBusError(() => ensureConsumer(jsm, stream, config));
      await ensure().catch(async (error: unknown) => {
        if (jetStreamCode(error) !== errorCodes.streamNotFound) throw error;
        await streams();
        await ensure();
      });
    },
  };
}

function consumerConfig(name: string, subject: string, since: number, options: ProvisionOptions) {
  return {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(options.ackWait),
    // A group counts failures of handling; deliveries to processes that die are none.
    max_deliver: -1,
    max_ack_pending: maxAckPending,
    replay_policy: ReplayPolicy.Instant,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(since).toISOString(),
  };
}

async function ensureStream(jsm: JetStreamManager, wanted: Partial<StreamConfig>): Promise<void> {
  const info = () => jsm.streams.info(wanted.name ?? '');
  const found = await foundOrMade(info, errorCodes.streamNotFound, () => jsm.streams.add(wanted));
  // One that another process has just made may have other subjects.
  if (found) await extendStream(jsm, found.config, wanted);
}

/** What is there keeps its other limits; subjects are added, replicas never lowered. */
async function extendStream(jsm: JetStreamManager, there: StreamConfig, wanted: Partial<StreamConfig>): Promise<void> {
  const subjects = [...new Set([...there.subjects, ...(wanted.subjects ?? [])])];
  const num_replicas = Math.max(there.num_replicas, wanted.num_replicas ?? 1);
  const { max_bytes = there.max_bytes } = wanted;
  const same =
    subjects.length === there.subjects.length && num_replicas === there.num_replicas && max_bytes === there.max_bytes;
  if (!same) await jsm.streams.update(there.name, { ...there, subjects, num_replicas, max_bytes });
}

type WantedConsumer = ReturnType<typeof consumerConfig>;

async function ensureConsumer(jsm: JetStreamManager, stream: string, config: WantedConsumer): Promise<void> {
  const name = config.durable_name;
  const info = () => jsm.consumers.info(stream, name);
  const there = await foundOrMade(info, errorCodes.consumerNotFound, () => jsm.consumers.add(stream, config));
  if (!there) return;
  const { ack_wait, max_deliver, max_ack_pending } = config;
  const limits = { ack_wait, max_deliver, max_ack_pending };
  const same = Object.entries(limits).every(([limit, value]) => there.config[limit as keyof typeof limits] === value);
  if (!same) await jsm.consumers.update(stream, name, limits);
}

/** What was there, or what another process has made in the meantime; undefined when it was made here. */
async function foundOrMade<T>(
  info: () => Promise<T>,
  notFound: number,
  make: () => Promise<unknown>,
): Promise<T | undefined> {
  const found = await orMissing(info, notFound);
  if (found) return found;
  const made = await make().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (!made) return undefined;
  const theirs = await orMissing(info, notFound);
  if (!theirs) throw made.error;
  return theirs;
}

async function orMissing<T>(get: () => Promise<T>, code: number): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    if (jetStreamCode(error) === code) return undefined;
    throw error;
  }
}

/** JetStream's own error code, also below the BusError that explains it. */
function jetStreamCode(error: unknown): number | undefined {
  if (error instanceof NatsError) return error.api_error?.err_code;
  return error instanceof BusError ? jetStreamCode(error.cause) : undefined;
}

async function asBusError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new BusError('unavailable', `JetStream: ${hint(cause)}${textOf(cause)}`, { cause });
  }
}

function hint(error: unknown): string {
  const code = jetStreamCode(error);
  if (code === errorCodes.clusterNeeded) return 'the setting `replicas` asks for more servers than there are: ';
  if (code !== undefined && errorCodes.noStorage.includes(code))
    return 'NATS_STREAM_BYTES asks for more storage than `max_file_store` allows: ';
  const off = error instanceof NatsError && error.code === '503' && code === undefined;
  if (off || (code !== undefined && errorCodes.noJetStream.includes(code))) return 'the setting `jetstream` is off: ';
  return '';
}
