import {
  type Backtest,
  invalidParameters,
  type RequestInput,
  type RuleRecord,
  ServiceError,
} from '@order-automation/contracts';
import { ruleRefused, validateRule } from '@order-automation/engine';
import type { DebugDeps } from '../deps';
import { unsavedRecord } from '../rule-tests/rule-test';

type CandidateRules = {
  readonly candidate: RuleRecord;
  /** What is beside it; null for a rule that is not saved. */
  readonly saved: RuleRecord | null;
  readonly rule: Backtest['rule'];
};

/** No rule has this id, and every rule runs before it. */
const beyond = 2_000_000_000;

export async function triedRules(
  { rule_data, rule_id, version, last, from, to, edition }: RequestInput<'debug.backtest.start.v1'>,
  { rules, registry, clock }: Pick<DebugDeps, 'rules' | 'registry' | 'clock'>,
): Promise<CandidateRules> {
  if (last !== undefined && (from !== undefined || to !== undefined))
    throw invalidParameters([{ path: 'last', message: 'cannot stand beside from and to' }]);
  if (version !== undefined && (rule_data !== undefined || rule_id === undefined))
    throw invalidParameters([
      { path: 'version', message: 'is that of a saved rule: it wants rule_id and no rule_data' },
    ]);
  const saved = rule_id === undefined ? null : await rules.record(rule_id);
  if (rule_data === undefined) {
    if (!saved) throw invalidParameters([{ path: 'rule_data', message: 'is required, or rule_id' }]);
    const candidate =
      version === undefined || version === saved.version ? saved : await rules.inVersion(saved, version);
    if (!candidate) {
      const text = `There is no version ${version} of rule ${rule_id}.`;
      throw new ServiceError(404, 'svc_rule_version_not_found', text, { rule_id, version });
    }
    return { candidate, saved, rule: { rule_id: saved.id, rule_name: candidate.name, version: candidate.version } };
  }
  const validation = validateRule(rule_data, edition, registry);
  if (!validation.ok) throw ruleRefused(validation);
  const base = saved ?? { ...unsavedRecord(validation.rule, clock.now()), id: beyond, position: beyond };
  const named = { rule_id: saved?.id ?? null, rule_name: base.name, version: null };
  return { candidate: { ...base, rule: validation.rule }, saved, rule: named };
}
