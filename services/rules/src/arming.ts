import { isDeepStrictEqual } from 'node:util';
import type { Bus } from '@order-automation/bus';
import { type Edition, type RuleData, ServiceError } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import type { RuleDocument, RuleFields } from './rule-documents';

/** A rule that is to be enabled. */
export type Armed = Pick<RuleFields, 'name' | 'rule'>;

/** Refuses rules that have to be tested before they are enabled: 409 `svc_rule_not_tested`, with the calls that test them. */
export type Arming = (rules: readonly Armed[], edition: Edition) => Promise<void>;

/** Rules with a status action have to be tested as they are, in the edition that has the debugger (`REQUIRE_RULE_TEST`). */
export function afterTest(bus: Pick<Bus, 'request'>): Arming {
  const isTested = async (rule: RuleData): Promise<boolean> =>
    (await bus.request('debug.rule.tested.v1', { rule })).tested;
  return async (rules, edition) => {
    if (edition !== 'extended') return;
    const untested: Armed[] = [];
    for (const one of rules) if (one.rule.primaryAction && !(await isTested(one.rule))) untested.push(one);
    const [first] = untested;
    if (first) throw notTested(first, untested);
  };
}

function notTested(first: Armed, untested: readonly Armed[]): ServiceError {
  const others = untested.length - 1;
  const which = others === 0 ? '' : ` So do ${others} other rules.`;
  const message = `The rule "${first.name}" changes the status of orders, and was not tested as it is now.${which} Test it with POST /pro/v1/debug-rule/test on an order, or try it with POST /pro/v1/debug-rule/backtest on past events; then enable it.`;
  const body = { rule_data: first.rule };
  return new ServiceError(409, 'svc_rule_not_tested', message, {
    violations: untested.map(({ name }) => ({ path: 'enabled', message: `the rule "${name}" was not tested` })),
    calls: [
      { method: 'POST', path: '/pro/v1/debug-rule/test', body },
      { method: 'POST', path: '/pro/v1/debug-rule/backtest', body },
    ],
  });
}

/** Whether a save enables components and settings that were not enabled before. */
export function isArmed(before: Pick<RuleFields, 'enabled' | 'rule'> | null, after: RuleFields): boolean {
  return after.enabled && !(before?.enabled === true && isDeepStrictEqual(before.rule, after.rule));
}

/**
 * The version that may be replaced by `decide`, because what it enables was tested; null where nothing had to be. A save in between is another
 * version, and is not replaced.
 */
export async function armedVersion(
  id: number,
  edition: Edition,
  { arming, rules }: Pick<RulesDeps, 'arming' | 'rules'>,
  decide: (before: RuleDocument) => RuleFields,
): Promise<number | null> {
  const before = arming && (await rules.byId(id));
  if (!arming || !before) return null;
  const after = decide(before);
  if (!isArmed(before, after)) return null;
  await arming([after], edition);
  return before.version;
}
