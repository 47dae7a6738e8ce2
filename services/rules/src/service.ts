import type { Bus, Subscription } from '@order-automation/bus';
import type { EventDone } from '@order-automation/contracts';
import { registryWith } from '@order-automation/engine';
import {
  closeInReverse,
  loadExtensions,
  type Relay,
  type Service,
  type ServiceDeps,
  startRelay,
} from '@order-automation/service';
import { activeVersions, ruleRecords, ruleVersionsGet } from './cache-reads';
import type { RulesConfig } from './config';
import { type ConsequenceDeps, settle } from './consequences';
import { openCounters } from './counters';
import { disabledListeners } from './disabled-listeners';
import { exportRules, importRules } from './exchange';
import { compareVersions, duplicateRule, listVersions, restoreVersion } from './history';
import { getRule, listComponents, listRules } from './reads';
import { reorderRules } from './reorder';
import { openRules, type RuleDocument } from './rule-documents';
import { type RuleStats, ruleStats } from './rule-stats';
import { openRuleVersions } from './rule-versions';
import { createRule, deleteRule, saveRule } from './saves';
import { rulesTelemetry } from './telemetry';
import { listTemplates } from './templates';
import { listConflicts } from './warnings';

/** Tells what follows from saves that nobody could be told of at once, until it is confirmed. */
function relayConsequences(deps: ConsequenceDeps, log: ServiceDeps['log']): Relay {
  return startRelay<RuleDocument>({
    name: 'rules consequences',
    pending: deps.rules.pending,
    send: async (documents) => {
      const settled = await Promise.all(documents.map((document) => settle(document, deps)));
      const left = settled.filter(({ complete }) => !complete).length;
      if (left > 0) throw new Error(`${left} saves could not be told: audit or the bus is away`);
    },
    every: 1_000,
    batch: 20,
    patience: 3_000,
    clock: deps.clock,
    log,
  });
}

function serve(bus: Bus, deps: ConsequenceDeps): Promise<Subscription>[] {
  return [
    bus.respond('rules.rule.get.v1', (input) => getRule(input, deps)),
    bus.respond('rules.rule.list.v1', (input) => listRules(input, deps)),
    bus.respond('rules.component.list.v1', (input) => listComponents(input, deps)),
    bus.respond('rules.rule.create.v1', (input) => createRule(input, deps)),
    bus.respond('rules.rule.save.v1', (input) => saveRule(input, deps)),
    bus.respond('rules.rule.delete.v1', (input) => deleteRule(input, deps)),
    bus.respond('rules.active-versions.v1', (input) => activeVersions(input, deps)),
    bus.respond('rules.records.v1', (input) => ruleRecords(input, deps)),
    bus.respond('rules.disabled-listeners.v1', (input) => disabledListeners(input, deps)),
    bus.respond('rules.version.get.v1', (input) => ruleVersionsGet(input, deps)),
    bus.respond('rules.rule.versions.v1', (input) => listVersions(input, deps)),
    bus.respond('rules.rule.diff.v1', (input) => compareVersions(input, deps)),
    bus.respond('rules.rule.restore.v1', (input) => restoreVersion(input, deps)),
    bus.respond('rules.rule.duplicate.v1', (input) => duplicateRule(input, deps)),
    bus.respond('rules.reorder.v1', (input) => reorderRules(input, deps)),
    bus.respond('rules.conflict.list.v1', () => listConflicts(deps)),
    bus.respond('rules.template.list.v1', ({ edition }) => listTemplates(edition, deps.registry)),
    bus.respond('rules.export.v1', (input) => exportRules(input, deps)),
    bus.respond('rules.import.v1', (input) => importRules(input, deps)),
  ];
}

/** Milliseconds between two writes of what was counted. */
const statsEvery = 1_000;

/** Writes the statistics from time to time, until it is closed. */
function writeStats({ write }: RuleStats, { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>): Relay {
  return startRelay({
    name: 'rule statistics',
    pending: async () => {
      await write();
      return [];
    },
    send: async () => {},
    every: statsEvery,
    batch: 1,
    patience: 0,
    clock,
    log,
  });
}

function countEvents(bus: Bus, stats: RuleStats): Promise<Subscription> {
  const count = async (messages: readonly { data: { events: EventDone[] } }[]) => {
    for (const { data } of messages) stats.count(data.events);
  };
  return bus.subscribe('evaluation.events-done.v1', 'rules', count, { maxBatch: 100 });
}

/** Rule records and their versions, the component listing, statistics (decisions.md sections 3 and 4). Rejects when an extension is broken. */
export async function startRules(deps: ServiceDeps, config: RulesConfig): Promise<Service> {
  const { bus, store, clock, log } = deps;
  const rules = await openRules(store);
  const versions = await openRuleVersions(store);
  const counters = await openCounters(store);
  const registry = await registryWith((of) => loadExtensions(config.extensions, 'register_components', of));
  const inner: ConsequenceDeps = { bus, clock, rules, versions, counters, telemetry: rulesTelemetry(deps), registry };
  const closing = closeInReverse();
  const relay = relayConsequences(inner, log);
  closing.add('relay', relay.close);
  const stats = ruleStats(rules.addStats);
  closing.add('statistics', () =>
    stats.write().catch((error: unknown) => log.warn({ err: error }, 'the last statistics of rules were not written')),
  );
  closing.add('writing statistics', writeStats(stats, deps).close);
  const started = await Promise.allSettled([...serve(bus, inner), countEvents(bus, stats)]);
  for (const one of started) if (one.status === 'fulfilled') closing.add('subscription', () => one.value.close());
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await closing.close();
    throw failed.reason;
  }
  return { close: closing.close };
}
