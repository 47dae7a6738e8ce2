import { registryWith } from '@order-automation/engine';
import { loadExtensions, type Service, type ServiceDeps } from '@order-automation/service';
import type { ProDebugConfig } from './config';
import { explainOrder } from './explain';
import { type DebugDeps, searchOrders, testRuleOnOrder, whyOrder } from './handlers';
import { logReader } from './log-reader';
import { orderReader } from './order-reader';
import { rulesReader } from './rules-reader';
import { eventReader, simulateEvent } from './simulate';
import { debugTelemetry } from './telemetry';
import { openTestRuns } from './test-runs';

const hour = 60 * 60 * 1000;
/** Milliseconds that a test run is kept. */
const keepRuns = 30 * 24 * hour;

/** Order search, rule test, and why things happened or did not (section 4.4 of the specification). Changes nothing. */
export async function startProDebug(deps: ServiceDeps, config: ProDebugConfig): Promise<Service> {
  const { bus, store, clock } = deps;
  const runs = await openTestRuns(store);
  const telemetry = debugTelemetry(deps);
  const registry = await registryWith((of) => loadExtensions(config.extensions, 'register_components', of));
  const inner: DebugDeps = {
    orders: orderReader(bus),
    log: logReader(bus),
    events: eventReader(bus),
    rules: rulesReader(bus, registry),
    runs,
    clock,
    telemetry,
    registry,
    timeZone: config.timeZone,
  };
  const subscriptions = [
    await bus.respond('debug.rule.test.v1', (input) => testRuleOnOrder(input, inner)),
    await bus.respond('debug.order.explain.v1', (input) => explainOrder(input, inner)),
    await bus.respond('debug.order.why.v1', (input) => whyOrder(input, inner)),
    await bus.respond('debug.order.simulate.v1', (input) => simulateEvent(input, inner)),
    await bus.respond('debug.order.search.v1', (input) => searchOrders(input, inner)),
  ];
  const cleaning = setInterval(() => {
    runs.purge(clock.now() - keepRuns).catch(telemetry.purgeFailed);
  }, hour);
  cleaning.unref();
  return {
    close: async () => {
      clearInterval(cleaning);
      for (const subscription of subscriptions) await subscription.close();
    },
  };
}
