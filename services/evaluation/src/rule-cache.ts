import { type CompiledRule, type CompiledRules, compileRules, type Registry } from '@order-automation/engine';
import { type ServiceDeps, startRelay } from '@order-automation/service';
import type { RuleVersion } from './evaluations';

export type RuleCache = {
  current(): CompiledRules;
  /** These rules in these versions, in order; one that was changed meanwhile and is not remembered, as it is now. */
  versions(rules: readonly RuleVersion[]): readonly CompiledRule[];
  close(): Promise<void>;
};

/** Milliseconds between two looks when no message tells of a change: the bus is not the only word on what is enabled. */
const lookAgain = 5_000;

/** Versions of rules that are kept for events which began with them. */
const mostRemembered = 5_000;

const nameOf = ({ id, version }: RuleVersion): string => `${id}:${version}`;

function remember(remembered: Map<string, CompiledRule>, rules: readonly CompiledRule[]): void {
  for (const rule of rules) {
    remembered.delete(nameOf(rule.record));
    remembered.set(nameOf(rule.record), rule);
  }
  for (const name of remembered.keys()) {
    if (remembered.size <= mostRemembered) return;
    remembered.delete(name);
  }
}

/** Every enabled rule, compiled behind an index by trigger; read again when `rules.changed.v1` comes. Rejects when rules is away at start. */
export async function openRuleCache({ bus, log, clock }: ServiceDeps, registry: Registry): Promise<RuleCache> {
  let revision = -1;
  let compiled = compileRules([], registry);
  const remembered = new Map<string, CompiledRule>();

  const refresh = async (): Promise<void> => {
    const active = await bus.request('rules.active.v1', {});
    if (active.revision <= revision) return;
    compiled = compileRules(active.rules, registry, compiled);
    revision = active.revision;
    remember(remembered, compiled.all);
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
    versions: (rules) => {
      const now = new Map(compiled.all.map((rule) => [rule.record.id, rule]));
      return rules.flatMap((rule) => remembered.get(nameOf(rule)) ?? now.get(rule.id) ?? []);
    },
    close: async () => {
      await subscription.close();
      await polling.close();
    },
  };
}
