import { registryWith } from '@order-automation/engine';
import { loadExtensions, type Opened, openOutbox, type ServiceDeps } from '@order-automation/service';
import { insertNew, type Store, takeNumbers } from '@order-automation/store';
import type { RulesConfig } from './config';
import { ruleSetOfStored } from './documents/earlier-rules';
import { openRules } from './documents/rule-documents';
import { openRuleSet } from './documents/rule-set';
import { openRuleVersions } from './documents/rule-versions';
import { enableAfterTest } from './saving/enable-guard';
import { rulesTelemetry } from './telemetry';

export type RulesDeps = Awaited<ReturnType<typeof openRulesDeps>>;

/** Rejects when an extension is broken. */
export async function openRulesDeps(deps: ServiceDeps, config: RulesConfig, opened: Opened) {
  const { bus, store, clock } = deps;
  const rules = await openRules(store);
  const versions = await openRuleVersions(store);
  const registry = await registryWith((of) => loadExtensions(config.extensions, 'register_components', of));
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const ruleSet = await openRuleSet(store, () => ruleSetOfStored(store, { rules, versions, outbox }));
  const takeIds = await openRuleIds(store);
  const telemetry = rulesTelemetry(deps);
  /** Null where no rule has to be tested. */
  const enableGuard = config.requireTest === true ? enableAfterTest(bus) : null;
  return { bus, clock, rules, versions, ruleSet, takeIds, outbox, telemetry, registry, enableGuard };
}

/** Ids of new rules, from a counter: the first of so many, of which none is given twice. */
async function openRuleIds(store: Store) {
  const counters = await store.collection<{ readonly _id: string; readonly value: number }>('counters');
  await insertNew(counters, [{ _id: 'rule_id', value: 0 }]);
  return (count: number): Promise<number> => takeNumbers(counters, 'rule_id', count);
}
