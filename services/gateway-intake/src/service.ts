import { type Message, newId } from '@order-automation/contracts';
import { loadExtensions, type ServiceDeps, type StartService } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { adapterStates } from './administration/gateways';
import { startReplayJobs } from './administration/replay-jobs';
import { respondToAdministrators } from './administration/respond';
import type { IntakeConfig } from './config';
import { openCertificates } from './connections/certificates';
import { openConnections } from './connections/collection';
import { openEndpoints } from './connections/endpoints';
import { liveConnections } from './connections/live';
import { sealer } from './connections/sealed';
import { builtInAdapters, walletTrust } from './gateways/built-in';
import { type AdapterRouter, createRouter } from './gateways/router';
import { type Delivery, startDelivery } from './inbox/delivery';
import { type Inbox, openInbox } from './inbox/inbox';
import { type Owed, openOwed } from './inbox/owed';
import { openQuota, type Quota } from './inbox/quota';
import { openReplayJobs } from './inbox/replay-jobs';
import { openTransmissions, type Transmissions } from './inbox/transmissions';
import { floodEntry } from './receiving/entries';
import { createLimiter, type Limiter, unprovenRate } from './receiving/limiter';
import { receive } from './receiving/receive';
import { intakeTelemetry, type Telemetry } from './telemetry';

const group = 'gateway-intake';
const sweepEvery = 1_000;
/** Milliseconds until what another process of ours has set counts here. */
const refreshEvery = 1_000;
/** Milliseconds between two entries about webhooks that were refused without a record. */
const floodEvery = 60_000;

/** What the receiving path stores. */
export type Collections = {
  readonly inbox: Inbox;
  readonly owed: Owed;
  readonly transmissions: Transmissions;
  readonly quota: Quota;
};

async function openCollections(store: Store, quotaBytes: number): Promise<Collections> {
  const [inbox, owed, transmissions, quota] = await Promise.all([
    openInbox(store),
    openOwed(store),
    openTransmissions(store),
    openQuota(store, quotaBytes),
  ]);
  return { inbox, owed, transmissions, quota };
}

/**
 * Receives webhooks: proves who sent them, stores them before the answer, and sees to it that each takes effect (0001, step 2).
 * Rejects when the store or the bus is unavailable, or an extension cannot be loaded.
 */
export const startIntake: StartService<IntakeConfig> = async (deps, config) => {
  const { bus, store, clock, log } = deps;
  const collections = await openCollections(store, config.unauthenticatedBytes);
  const settings = await openSettings(deps, config);
  const { router } = settings;
  const telemetry = intakeTelemetry(deps, new Set(router.adapters().map(({ gateway }) => gateway)));
  reportStates(router, telemetry);
  const delivery = startDelivery({ ...deps, collections, router, telemetry }, { every: sweepEvery });
  const parts = {
    ...settings,
    limiter: createLimiter(unprovenRate),
    bus,
    store,
    inbox: collections.inbox,
    collections,
    replayJobs: await openReplayJobs(store),
    delivery,
    clock,
    telemetry,
    onFailure: telemetry.adapterFailed,
  };
  const replaying = startReplayJobs({ ...parts, log });
  const done = await bus.subscribe('evaluation.events-done.v1', group, (messages) => markDone(parts, messages), {
    maxBatch: 16,
  });
  const responders = [
    await bus.respond('intake.receive.v1', async ({ webhooks }) => ({ receptions: await receive(parts, webhooks) })),
    await bus.respond('intake.status.v1', async () => {
      const checked = await store.check();
      if (!checked.ok) return { ready: false, reason: checked.reason, adapters: [] };
      return { ready: true, reason: null, adapters: await adapterStates(parts) };
    }),
    ...(await respondToAdministrators(bus, parts)),
  ];
  const refreshing = setInterval(() => {
    Promise.all([settings.refresh(), collections.quota.refresh()]).catch((error: unknown) =>
      log.warn({ err: error }, 'settings could not be read again'),
    );
  }, refreshEvery);
  refreshing.unref();
  const counting = setInterval(() => recordFlood(parts), floodEvery);
  counting.unref();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearInterval(refreshing);
    clearInterval(counting);
    recordFlood(parts);
    await Promise.all(responders.map((responder) => responder.close()));
    await replaying.close();
    await done.close();
    await delivery.close();
    await settings.refresh().catch(() => undefined);
  };
  return {
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};

/** What administrators set, and the adapters that go by it. */
async function openSettings({ store, log }: Pick<ServiceDeps, 'store' | 'log'>, config: IntakeConfig) {
  const certificates = await openCertificates(store, config.walletCertificates, log);
  const keys = sealer(config.secretKey.reveal());
  const collection = await openConnections(store);
  const connections = await liveConnections({ collection, sealer: keys, log });
  const trust = walletTrust(config);
  const router = createRouter(builtInAdapters(config, { certificates, connections, trust }));
  await loadExtensions(config.extensions, 'register_gateway_adapters', () => router);
  const isKnown = (endpoint: string): boolean => {
    const name = endpoint.startsWith('generic/') ? endpoint.slice('generic/'.length) : undefined;
    return name === undefined ? router.adapterFor(endpoint) !== undefined : connections.byName(name) !== undefined;
  };
  const endpoints = await openEndpoints(store, log, isKnown);
  const refresh = async (): Promise<void> => {
    await Promise.all([connections.refresh(), certificates.refresh(), endpoints.refresh()]);
  };
  return { certificates, collection, connections, endpoints, router, sealer: keys, trust, refresh };
}

type Flooding = Pick<ServiceDeps, 'clock'> & {
  readonly limiter: Limiter;
  readonly collections: Pick<Collections, 'owed'>;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
};

/** One entry for all webhooks that were refused without one of their own since the last time. */
function recordFlood({ limiter, collections: { owed }, delivery, clock, telemetry }: Flooding): void {
  const refused = limiter.refused();
  if (refused.webhooks === 0) return;
  telemetry.flood(refused.webhooks, refused.addresses);
  const _id = newId('evt', clock.now());
  const entries = [{ _id, entry: floodEntry(_id, refused, clock.now()) }];
  owed.add(entries).then(
    () => delivery.record(entries),
    (error: unknown) => telemetry.notStored(0, error),
  );
}

type Marking = Pick<ServiceDeps, 'clock'> & {
  readonly collections: Collections;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
};

/** Evaluation has finished these events: nobody publishes them again. Audit has their reception first. */
async function markDone(
  { clock, collections: { inbox }, delivery, telemetry }: Marking,
  messages: readonly Message<'evaluation.events-done.v1'>[],
): Promise<void> {
  const ours = messages.flatMap(({ data }) => data.events).filter(({ origin }) => origin === 'intake');
  if (ours.length === 0) return;
  await delivery.done(ours.map(({ event_id }) => event_id));
  for (const end of ['done', 'dead'] as const) {
    const events = ours.filter(({ outcome }) => (outcome === 'dead') === (end === 'dead'));
    if (events.length > 0) telemetry.done(end, await inbox.finish(events, clock.now()));
  }
}

/** A gateway that refuses everything, or takes everything, is worth a line at the start. */
function reportStates(router: AdapterRouter, telemetry: Telemetry): void {
  for (const { gateway, status } of router.adapters()) {
    const state = status?.() ?? { active: true };
    const text = state.active ? state.warning : state.reason;
    if (text !== undefined) telemetry.attention(gateway, text);
  }
}
