import { builtInComponents, type CompiledRules, compileRules, createRegistry } from '@order-automation/engine';
import { type ServiceDeps, startRelay } from '@order-automation/service';

export type RuleCache = { current(): CompiledRules; close(): Promise<void> };

/** Milliseconds between two looks when no message tells of a change: the bus is not the only word on what is enabled. */
const lookAgain = 5_000;

/** Every enabled rule, compiled behind an index by trigger; read again when `rules.changed.v1` comes. Rejects when rules is away at start. */
export async function openRuleCache({ bus, log, clock }: ServiceDeps): Promise<RuleCache> {
  let revision = -1;
  const registry = createRegistry(builtInComponents);
  let compiled = compileRules([], registry);

  const refresh = async (): Promise<void> => {
    const active = await bus.request('rules.active.v1', {});
    if (active.revision <= revision) return;
    compiled = compileRules(active.rules, registry, compiled);
    revision = active.revision;
    log.info({ revision, rules: active.rules.length }, 'rules read');
  };

  await refresh();
  const subscription = await bus.subscribe('rules.changed.v1', null, refresh, { maxBatch: 100 });
  const polling = startRelay({
    name: 'rules',
    pending: async () => {
      await refresh();
      return [];
    },
    send: async () => {},
    every: lookAgain,
    batch: 1,
    patience: 0,
    clock,
    log,
  });
  return {
    current: () => compiled,
    close: async () => {
      await subscription.close();
      await polling.close();
    },
  };
}
