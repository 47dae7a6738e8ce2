import { type Backoff, defaultBackoff, once } from '@order-automation/base';
import type { ServiceName } from '@order-automation/contracts';
import { BusError } from '../errors';
import { type Bus, type BusLog, type DeliveryOptions, silent } from '../port';
import { respondingTo } from '../requests';
import { type AnyHandler, readingFor } from '../settle';
import { knownEvent, writeMessages } from '../wire';
import { type ConsumeOptions, consume, listen } from './nats-consume';
import { type Link, openLink } from './nats-link';
import { type Names, namesFor } from './nats-names';
import { type Provision, type ProvisionOptions, provision } from './nats-provision';
import { newPublisher } from './nats-publish';
import { natsRequests } from './nats-requests';
import { type Profile, readSyncAlways, unsafeSettings } from './nats-safety';

export type NatsBusOptions = DeliveryOptions & {
  /** One address or several, also separated by commas: `nats://user:password@host:4222`. */
  readonly servers: string | readonly string[];
  /** Shown in the server's list of connections. */
  readonly name: string;
  /** The services that connect: only the streams that they use are made, as their user of NATS may do nothing else. Default: all. */
  readonly services?: readonly ServiceName[];
  /** `production` refuses a server that cannot keep the promise; `development` warns. */
  readonly profile: 'development' | 'production';
  /** In front of every subject and stream: keeps several installations, or tests, apart on one server. */
  readonly streamPrefix?: string;
  /** Copies of each stream. Default 3 in production, 1 in development. */
  readonly replicas?: number;
  /** The server's monitoring address, `http://host:8222`: where it says whether it flushes each write. */
  readonly monitor?: string;
  /** Bytes of each stream; past them the server discards its oldest messages. Default 512 MiB. */
  readonly streamBytes?: number;
};

/**
 * The bus over NATS with JetStream. A request that this bus has a responder for is answered without the server. Rejects with BusError `unavailable` when no server answers, when JetStream is off, and in
 * production for each setting that is not safe, by name; the caller tries again.
 */
export async function natsBus(options: NatsBusOptions): Promise<Bus> {
  const { profile, log = silent, maxDeliver = 5, ackWait = 30_000, streamBytes = 512 * 1024 * 1024 } = options;
  const names = namesFor(options.streamPrefix);
  const replicas = options.replicas ?? (profile === 'production' ? 3 : 1);
  const backoff: Backoff = { ...defaultBackoff, ...options.backoff };
  const link = await openLink({ servers: options.servers, name: options.name, log });
  try {
    const setUp = await prepare(link, names, { ...options, replicas, ackWait, streamBytes, log });
    return compose(link, names, setUp, { log, maxDeliver, backoff, ackWait });
  } catch (error) {
    await link.close();
    throw error;
  }
}

type Preparation = ProvisionOptions & { readonly profile: Profile; readonly monitor?: string; readonly log: BusLog };

async function prepare(link: Link, names: Names, options: Preparation): Promise<Provision> {
  const { profile, replicas, log, monitor } = options;
  const before = { maxPayload: link.maxPayload(), replicas, streams: [], syncAlways: await readSyncAlways(monitor) };
  refuse(profile, unsafeSettings(before));
  const jsm = await link.manager();
  const setUp = provision(jsm, names, options);
  await setUp.streams();
  const infos = await Promise.all(setUp.streamNames.map((name) => jsm.streams.info(name)));
  const problems = unsafeSettings({ ...before, streams: infos.map(({ config }) => config) });
  refuse(profile, problems);
  for (const problem of problems) log.warn({ problem }, 'NATS runs with a setting that is not fit for production');
  if (profile === 'production' && before.syncAlways === undefined) {
    log.warn(
      { setting: 'sync_interval' },
      'it is unknown whether NATS flushes each write; sync_interval must be "always"',
    );
  }
  return setUp;
}

function refuse(profile: Profile, problems: readonly string[]): void {
  if (profile !== 'production' || problems.length === 0) return;
  throw new BusError('unavailable', `NATS is not safe for production: ${problems.join('; ')}.`);
}

type Settings = Pick<ConsumeOptions, 'log' | 'maxDeliver' | 'backoff' | 'ackWait'>;

function compose(link: Link, names: Names, setUp: Provision, settings: Settings): Bus {
  const { log } = settings;
  const publisher = newPublisher(link, names, () => setUp.streams());
  const requests = natsRequests(link, names, log);
  const leaving = new Set<() => Promise<void>>();
  let isOpen = true;

  const mustBeOpen = (): void => {
    if (!isOpen) throw new BusError('closed', 'The bus is closed.');
  };

  const subscription = (end: () => Promise<void>) => {
    const close = once(() => end().finally(() => leaving.delete(close)));
    leaving.add(close);
    return { close };
  };

  const close = once(async () => {
    isOpen = false;
    await Promise.all([...leaving].map((close) => close()));
    await publisher.idle();
    await link.flush();
    await link.close();
  });

  return {
    close,
    publish: async (messages) => publisher.publish(writeMessages(messages)),
    subscribe: async (type, group, handler, { maxBatch = 1, concurrency = 1 } = {}) => {
      mustBeOpen();
      const reader = readingFor(knownEvent(type), handler as unknown as AnyHandler);
      const membership = { type, handler: reader, maxBatch, concurrency };
      const parts = { ...settings, link, names, provision: setUp };
      if (group === null) return subscription(await listen(parts, membership));
      return subscription(await consume(parts, { ...membership, group }));
    },
    request: requests.request,
    respond: async (type, handler) => {
      mustBeOpen();
      return subscription(await requests.respond(type, respondingTo(type, handler, log)));
    },
    status: () => {
      const reason = isOpen ? link.trouble() : 'The bus is closed.';
      return reason ? { ok: false, reason } : { ok: true };
    },
  };
}

/** The streams with this prefix that hold messages, by name. Rejects when NATS does not answer, or its user may not ask. */
export async function streamsWithMessages(servers: readonly string[], streamPrefix: string): Promise<string[]> {
  const link = await openLink({ servers, name: 'streams', log: silent });
  try {
    const manager = await link.manager();
    const found: string[] = [];
    for await (const { config, state } of manager.streams.list())
      if (config.name.startsWith(`${streamPrefix}-`) && state.messages > 0) found.push(config.name);
    return found;
  } finally {
    await link.close();
  }
}
