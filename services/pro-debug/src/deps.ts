import { registryWith } from '@order-automation/engine';
import { loadExtensions, type ServiceDeps } from '@order-automation/service';
import type { ProDebugConfig } from './config';
import { logReader } from './readers/log-reader';
import { orderReader } from './readers/order-reader';
import { rulesReader } from './readers/rules-reader';
import { eventReader } from './rule-tests/simulate';
import { openTestRuns } from './rule-tests/test-runs';

/** What the answers are made from. No bus: see `orderReader`. */
export type DebugDeps = Awaited<ReturnType<typeof openDebugDeps>>;

export async function openDebugDeps(deps: ServiceDeps, config: ProDebugConfig) {
  const { bus, store, clock } = deps;
  const { extensions, awaitingPayment, timeZone } = config;
  const runs = await openTestRuns(store);
  const registry = await registryWith((of) => loadExtensions(extensions, 'register_components', of), awaitingPayment);
  return {
    orders: orderReader(bus),
    log: logReader(bus),
    events: eventReader(bus),
    rules: rulesReader(bus, registry),
    runs,
    clock,
    logger: deps.log,
    registry,
    /** IANA name of the shop's time zone. */
    timeZone,
    awaiting: awaitingPayment,
  };
}
