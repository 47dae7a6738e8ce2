import { openKeyRing, openOutbox, repeatedly, serviceOf, startPolling } from '@order-automation/service';
import { startReplayJobs } from './administration/replay/replay-jobs';
import { respondToAdministrators } from './administration/respond';
import { endWarnings } from './administration/senders/end-warnings';
import { adapterStates } from './administration/senders/gateways';
import type { IntakeConfig } from './config';
import { startDelivery } from './delivery/delivery';
import { markEnds } from './delivery/ends';
import type { AdapterRouter } from './gateways/router';
import { openSettings } from './gateways/settings';
import { openCollections } from './inbox/collections';
import { adoptEarlierEvents } from './inbox/earlier-events';
import { measure } from './inbox/figures';
import { openReplayJobs } from './inbox/replay-job-documents';
import { recordFlood } from './receiving/admission';
import { createLimiter, unauthenticatedRate } from './receiving/limiter';
import { receive } from './receiving/receive';
import { startAsking } from './sources/ask';
import { openEventSources } from './sources/event-sources';
import { sourceWarnings } from './sources/record';
import { openSources } from './sources/source-documents';
import { intakeTelemetry, type Telemetry } from './telemetry';

const group = 'gateway-intake';
const sweepEvery = 1_000;
const measureEvery = 10_000;
/** Milliseconds until what another process of ours has set counts here. */
const refreshEvery = 1_000;
/** Milliseconds between two entries about webhooks that were refused without a record. */
const floodEvery = 60_000;

/**
 * Receives webhooks: proves who sent them, stores them before the answer, and sees to it that each takes effect (0001, step 2).
 * Rejects when the store or the bus is unavailable, or an extension cannot be loaded.
 */
export const startIntake = serviceOf(async (deps, config: IntakeConfig, opened) => {
  const { bus, store, clock } = deps;
  const keys = await openKeyRing(config.secretKey.reveal(), deps);
  opened('keys', keys.close);
  const collections = await openCollections(store, config.unauthenticatedBytes);
  await adoptEarlierEvents(store, collections, clock.now());
  const settings = await openSettings(deps, keys, config);
  opened('settings', () => settings.refresh(true).catch(() => undefined));
  const { router } = settings;
  const sources = await openSources(store, settings.sealer);
  keys.onRotation(sources.reencrypt);
  const eventSources = openEventSources(config, deps);
  opened('event sources', eventSources.close);
  const telemetry = intakeTelemetry(deps, new Set(router.adapters().map(({ gateway }) => gateway)));
  reportStates(router, telemetry, clock.now());
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const delivery = await startDelivery({ ...deps, ...settings, collections, outbox, telemetry }, { every: sweepEvery });
  opened('delivery', delivery.close);
  const parts = {
    ...deps,
    ...settings,
    ...{ collections, delivery, outbox, telemetry },
    limiter: createLimiter(unauthenticatedRate),
    replayJobs: await openReplayJobs(store),
    sources,
    eventSources: eventSources.all,
    onFailure: telemetry.adapterFailed,
    awaitingPayment: config.awaitingPayment,
  };
  const ends = markEnds(parts);
  opened('ends', ends.idle);
  opened('replays', startReplayJobs(parts).close);
  const asking = startAsking(parts);
  opened('asking for what never arrived', asking.close);
  opened('watch', startPolling('inbox watch', measureEvery, () => measure(parts), deps).close);
  await bus.subscribe('evaluation.events-done.v1', group, ends.done, { maxBatch: 16 });
  await bus.subscribe('evaluation.events-waiting.v1', group, ends.waiting, { maxBatch: 16 });
  await bus.subscribe('intake.settings-changed.v1', null, () => settings.refresh(), { maxBatch: 100 });
  await bus.respond('intake.receive.v1', async ({ webhooks }) => ({ receptions: await receive(parts, webhooks) }));
  await bus.respond('intake.status.v1', async () => {
    const checked = await store.check();
    if (!checked.ok) return { ready: false, reason: checked.reason, adapters: [] };
    const warnings = [...endWarnings(parts), ...(await sourceWarnings(parts))];
    return { ready: true, reason: null, adapters: await adapterStates(parts), warnings };
  });
  await respondToAdministrators(bus, parts, asking.kick);
  opened('flood', () => recordFlood(parts));
  opened('counting the flood', repeatedly(floodEvery, () => recordFlood(parts)).close);
  const refresh = () => Promise.all([settings.refresh(), collections.quota.refresh()]);
  opened('refreshing', startPolling('settings', refreshEvery, refresh, deps).close);
  return {};
});

/** A gateway that takes everything is worth a warning at the start; one that nobody configured is not in use. */
function reportStates(router: AdapterRouter, telemetry: Telemetry, now: number): void {
  for (const adapter of router.adapters()) {
    const { gateway } = adapter;
    const state = adapter.status?.(now) ?? { active: true };
    if (!state.active) telemetry.inactive(gateway, state.reason);
    else if (state.warning !== undefined) telemetry.attention(gateway, state.warning);
  }
}
