import { isDeepStrictEqual } from 'node:util';
import type { Bus } from '@order-automation/bus';
import { counted, type Edition, type RuleData, ServiceError } from '@order-automation/contracts';
import type { RuleFields } from '../documents/rule-documents';

/** Refuses to enable rules that have to be tested first: 409 `svc_rule_not_tested`, with the calls that test them. */
export type EnableGuard = (rules: readonly Pick<RuleFields, 'name' | 'rule'>[], edition: Edition) => Promise<void>;

/** Rules with a status action have to be tested as they are, in the edition that has the debugger (`REQUIRE_RULE_TEST`). */
export function enableAfterTest(bus: Pick<Bus, 'request'>): EnableGuard {
  const isTested = async (rule: RuleData): Promise<boolean> =>
    (await bus.request('debug.rule.tested.v1', { rule })).tested;
  return async (rules, edition) => {
    if (edition !== 'extended') return;
    const untested: { name: string; rule: RuleData }[] = [];
    for (const one of rules) if (one.rule.primaryAction && !(await isTested(one.rule))) untested.push(one);
    const [first] = untested;
    if (!first) return;
    const others = untested.length - 1;
    const which = others === 0 ? '' : ` The same is true of ${counted(others, 'other rule')}.`;
    const text = `The rule "${first.name}" changes the status of orders, and was not tested as it is now.${which} Test it on an order or on past events, on the page of the rule; then enable it.`;
    const body = { rule_data: first.rule };
    throw new ServiceError(409, 'svc_rule_not_tested', text, {
      violations: untested.map(({ name }) => ({ path: 'enabled', message: `the rule "${name}" was not tested` })),
      calls: ['test', 'backtest'].map((how) => ({ method: 'POST', path: `/pro/v1/debug-rule/${how}`, body })),
    });
  };
}

/** Whether a save enables components and settings that were not enabled before. */
export const isNewlyEnabled = (before: Pick<RuleFields, 'enabled' | 'rule'> | null, after: RuleFields): boolean =>
  after.enabled && !(before?.enabled === true && isDeepStrictEqual(before.rule, after.rule));
