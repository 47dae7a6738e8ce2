import type { Message, RequestOutput } from '@order-automation/contracts';
import type { ServiceDeps, StartService } from '@order-automation/service';
import { type Collections, openCollections } from './accept';
import { cardAdapter } from './adapters/card';
import { genericAdapter } from './adapters/generic';
import { type AdapterRouter, createRouter } from './adapters/router';
import { unconfiguredAdapter } from './adapters/unconfigured';
import type { IntakeConfig } from './config';
import { type Delivery, startDelivery } from './delivery';
import { receive } from './receive';
import { intakeTelemetry, type Telemetry } from './telemetry';

const group = 'gateway-intake';
const sweepEvery = 1_000;

/** The adapters that are built in (section 6 of the specification). */
export function builtInAdapters({ cardSecrets, requireConnection }: IntakeConfig): AdapterRouter {
  return createRouter([
    cardAdapter({ secrets: cardSecrets.reveal() }),
    unconfiguredAdapter('gateway_wallet', 'Wallet gateway', 'The wallet gateway is not configured.'),
    genericAdapter({ requireConnection }),
  ]);
}

/**
 * Receives webhooks: proves who sent them, stores them before the answer, and sees to it that each takes effect (0001, step 2).
 * Rejects when the store or the bus is away.
 */
export const startIntake: StartService<IntakeConfig> = async (deps, config) => {
  const { bus, store, clock } = deps;
  const router = builtInAdapters(config);
  const telemetry = intakeTelemetry(deps, new Set(router.adapters().map(({ gateway }) => gateway)));
  reportInactive(router, telemetry);
  const collections = await openCollections(store);
  const delivery = startDelivery({ ...deps, collections, telemetry }, { every: sweepEvery });
  const parts = { router, collections, delivery, clock, telemetry };
  const done = await bus.subscribe('evaluation.events-done.v1', group, (messages) => markDone(parts, messages), {
    maxBatch: 16,
  });
  const receiver = await bus.respond('intake.receive.v1', async ({ webhooks }) => ({
    receptions: await receive(parts, webhooks),
  }));
  const status = await bus.respond('intake.status.v1', async () => {
    const checked = await store.check();
    return { ready: checked.ok, reason: checked.ok ? null : checked.reason, adapters: adapterStates(router) };
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([receiver.close(), status.close()]);
    await done.close();
    await delivery.close();
  };
  return {
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};

type Marking = Pick<ServiceDeps, 'clock'> & {
  readonly collections: Collections;
  readonly delivery: Delivery;
  readonly telemetry: Telemetry;
};

/** Evaluation has finished these events: nobody publishes them again. The log hears first what it has not been told. */
async function markDone(
  { clock, collections: { inbox }, delivery, telemetry }: Marking,
  messages: readonly Message<'evaluation.events-done.v1'>[],
): Promise<void> {
  const ours = messages.flatMap(({ data }) => data.events).filter(({ origin }) => origin === 'intake');
  delivery.done(ours.map(({ event_id }) => event_id));
  const untold = ours.filter(({ reception_told: told }) => !told).map(({ event_id }) => event_id);
  if (untold.length > 0) await delivery.tellReceptions(untold);
  for (const end of ['done', 'dead'] as const) {
    const ids = ours.filter(({ outcome }) => (outcome === 'dead') === (end === 'dead')).map(({ event_id }) => event_id);
    if (ids.length === 0) continue;
    const { modifiedCount } = await inbox.close(ids, end, clock.now());
    telemetry.done(end, modifiedCount);
  }
}

type AdapterStates = RequestOutput<'intake.status.v1'>['adapters'];

function adapterStates(router: AdapterRouter): AdapterStates {
  return router.adapters().map(({ gateway, displayName, status }) => {
    const state = status();
    return {
      gateway,
      display_name: displayName,
      status: state.active ? 'active' : 'inactive',
      reason: state.active ? null : state.reason,
    };
  });
}

/** A gateway that refuses everything is worth a line at the start. */
function reportInactive(router: AdapterRouter, telemetry: Telemetry): void {
  for (const { gateway, reason } of adapterStates(router)) if (reason !== null) telemetry.inactive(gateway, reason);
}
