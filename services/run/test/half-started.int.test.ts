import { startAudit } from '@order-automation/audit';
import type { Bus, Subscription } from '@order-automation/bus';
import { awaitingPayment } from '@order-automation/contracts';
import { startEvaluation } from '@order-automation/evaluation';
import { startIntake } from '@order-automation/gateway-intake';
import { startProDebug } from '@order-automation/pro-debug';
import { startRules } from '@order-automation/rules';
import { createMetrics, type Service, type ServiceDeps } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { auditConfig } from '../../audit/test/audit';
import { testConfig } from '../../evaluation/test/peers';
import { configured } from '../../gateway-intake/test/intake';

const services: Record<string, (deps: ServiceDeps) => Promise<Service>> = {
  audit: (deps) => startAudit(deps, auditConfig),
  evaluation: (deps) => startEvaluation(deps, testConfig()),
  'gateway-intake': (deps) => startIntake(deps, configured()),
  'pro-debug': (deps) => startProDebug(deps, { extensions: [], timeZone: 'UTC', awaitingPayment }),
  rules: (deps) => startRules(deps, { extensions: [] }),
  shop: (deps) => startShop(deps, { demoShop: false, timeZone: 'UTC' }),
};

/** A bus that takes so many subscriptions and responders, then is away; `open` counts those that were not closed. */
function busThatEnds(bus: Bus, after: number) {
  let [asked, open] = [0, 0];
  const counted = async (subscribe: () => Promise<Subscription>): Promise<Subscription> => {
    asked += 1;
    if (asked > after) throw new Error('the bus is away');
    const subscription = await subscribe();
    open += 1;
    let isOpen = true;
    return {
      close: async () => {
        await subscription.close();
        if (isOpen) open -= 1;
        isOpen = false;
      },
    };
  };
  const limited: Bus = {
    ...bus,
    respond: (type, handler) => counted(() => bus.respond(type, handler)),
    subscribe: (type, group, handler, options) => counted(() => bus.subscribe(type, group, handler, options)),
  };
  return { bus: limited, open: () => open, asked: () => asked };
}

// A process tries to start for ever: what each try left open would answer beside the next.
describeLanes('a service whose start fails half-way', (lane) => {
  let deps: LaneDeps;
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());

  test.each(Object.entries(services))('%s leaves nothing open, and starts then', async (name, start) => {
    const rules = name === 'evaluation' ? await services.rules?.(deps) : undefined;
    const attempt = (bus: Bus) => start({ ...deps, bus, metrics: createMetrics(name) });
    const whole = busThatEnds(deps.bus, Number.POSITIVE_INFINITY);
    await (await attempt(whole.bus)).close();
    expect(whole.open()).toBe(0);

    for (const after of [0, 1, Math.floor(whole.asked() / 2), whole.asked() - 1]) {
      const cut = busThatEnds(deps.bus, after);
      await expect(attempt(cut.bus)).rejects.toThrow('the bus is away');
      expect(cut.open()).toBe(0);
    }
    await (await attempt(deps.bus)).close();
    await rules?.close();
  });
});
