import { type Service, type ServiceDeps, startRelay } from '@order-automation/service';
import type { RulesConfig } from './config';
import { type ConsequenceDeps, settle } from './consequences';
import { openCounters } from './counters';
import { activeRules, getRule, listComponents, listRules } from './reads';
import { openRules, type RuleDocument } from './rule-documents';
import { tallyRules } from './rule-stats';
import { openRuleVersions } from './rule-versions';
import { createRule, deleteRule, saveRule } from './saves';
import { rulesTelemetry } from './telemetry';

/** Rule records and their versions, the component listing, statistics (decisions.md sections 3 and 4). */
export async function startRules(deps: ServiceDeps, _config: RulesConfig): Promise<Service> {
  const { bus, store, clock, log } = deps;
  const rules = await openRules(store);
  const versions = await openRuleVersions(store);
  const counters = await openCounters(store);
  const inner: ConsequenceDeps = { bus, clock, rules, versions, counters, telemetry: rulesTelemetry(deps) };

  const relay = startRelay<RuleDocument>({
    name: 'rules consequences',
    pending: rules.pending,
    send: async (documents) => {
      const settled = await Promise.all(documents.map((document) => settle(document, inner)));
      const left = settled.filter(({ complete }) => !complete).length;
      if (left > 0) throw new Error(`${left} saves could not be told: audit or the bus is away`);
    },
    every: 1_000,
    batch: 20,
    patience: 3_000,
    clock,
    log,
  });

  const subscriptions = [
    await bus.respond('rules.rule.get.v1', (input) => getRule(input, inner)),
    await bus.respond('rules.rule.list.v1', (input) => listRules(input, inner)),
    await bus.respond('rules.active.v1', () => activeRules(inner)),
    await bus.respond('rules.component.list.v1', (input) => listComponents(input, inner)),
    await bus.respond('rules.rule.create.v1', (input) => createRule(input, inner)),
    await bus.respond('rules.rule.save.v1', (input) => saveRule(input, inner)),
    await bus.respond('rules.rule.delete.v1', (input) => deleteRule(input, inner)),
    await bus.subscribe(
      'evaluation.event-done.v1',
      'rules',
      async (messages) => {
        const tallies = tallyRules(messages.map(({ data }) => data));
        if (tallies.length > 0) await rules.addStats(tallies);
      },
      { maxBatch: 1_000 },
    ),
  ];

  return {
    close: async () => {
      for (const subscription of subscriptions) await subscription.close();
      await relay.close();
    },
  };
}
