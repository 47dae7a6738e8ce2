import type { Bus } from '@order-automation/bus';
import { serviceOf, startPolling } from '@order-automation/service';
import type { RulesConfig } from './config';
import { openRulesDeps, type RulesDeps } from './deps';
import { finishEarlierImport } from './documents/earlier-rules';
import { importRules } from './importing/import';
import { activeVersions, ruleRecords, ruleVersionsGet } from './reading/cache-reads';
import { disabledListeners, exportRules, getRule, listComponents, listRules } from './reading/reads';
import { ruleStats } from './reading/rule-stats';
import { compareVersions, duplicateRule, listVersions, removeLongDeleted, restoreVersion } from './saving/history';
import { reorderRules } from './saving/reorder';
import { createRule, deleteRule, saveRule } from './saving/saves';
import { settleLeft } from './saving/settle';
import { listTemplates } from './templates';
import { listConflicts } from './warnings/warnings';

async function serve(bus: Bus, deps: RulesDeps): Promise<void> {
  await bus.respond('rules.rule.get.v1', (input) => getRule(input, deps));
  await bus.respond('rules.rule.list.v1', (input) => listRules(input, deps));
  await bus.respond('rules.component.list.v1', (input) => listComponents(input, deps));
  await bus.respond('rules.rule.create.v1', (input) => createRule(input, deps));
  await bus.respond('rules.rule.save.v1', (input) => saveRule(input, deps));
  await bus.respond('rules.rule.delete.v1', (input) => deleteRule(input, deps));
  await bus.respond('rules.active-versions.v1', (input) => activeVersions(input, deps));
  await bus.respond('rules.records.v1', (input) => ruleRecords(input, deps));
  await bus.respond('rules.disabled-listeners.v1', (input) => disabledListeners(input, deps));
  await bus.respond('rules.version.get.v1', (input) => ruleVersionsGet(input, deps));
  await bus.respond('rules.rule.versions.v1', (input) => listVersions(input, deps));
  await bus.respond('rules.rule.diff.v1', (input) => compareVersions(input, deps));
  await bus.respond('rules.rule.restore.v1', (input) => restoreVersion(input, deps));
  await bus.respond('rules.rule.duplicate.v1', (input) => duplicateRule(input, deps));
  await bus.respond('rules.reorder.v1', (input) => reorderRules(input, deps));
  await bus.respond('rules.conflict.list.v1', () => listConflicts(deps));
  await bus.respond('rules.template.list.v1', ({ edition }) => listTemplates(edition, deps.registry));
  await bus.respond('rules.export.v1', (input) => exportRules(input, deps));
  await bus.respond('rules.import.v1', (input) => importRules(input, deps));
}

/** Milliseconds between two writes of what was counted. */
const statsEvery = 1_000;

const settleEvery = 5_000;
const cleanUpEvery = 3_600_000;

/** Rule records and their versions, the component listing, statistics (decisions.md sections 3 and 4). Rejects when an extension is broken. */
export const startRules = serviceOf(async (deps, config: RulesConfig, opened) => {
  const { bus, store, log } = deps;
  const inner = await openRulesDeps(deps, config, opened);
  await finishEarlierImport(store, inner);
  const settling = startPolling('what follows from saved rules', settleEvery, () => settleLeft(inner), deps);
  opened('what follows from saved rules', settling.close);
  const stats = ruleStats(inner.rules.addStats);
  opened('statistics', () =>
    stats.write().catch((error: unknown) => log.warn({ err: error }, 'the last statistics of rules were not written')),
  );
  opened('writing statistics', startPolling('rule statistics', statsEvery, stats.write, deps).close);
  opened('clean-up', startPolling('deleted rules', cleanUpEvery, () => removeLongDeleted(inner), deps).close);
  await serve(bus, inner);
  await bus.subscribe(
    'evaluation.events-done.v1',
    'rules',
    async (messages) => stats.count(messages.flatMap(({ data }) => data.events)),
    { maxBatch: 100 },
  );
  return {};
});
