import {
  type Answer,
  type Edition,
  invalidParameters,
  type RuleChanges,
  type RuleData,
  requiredMessage,
  type ServiceError,
} from '@order-automation/contracts';
import { type Registry, ruleRefused, validateRule, violationsAt } from '@order-automation/engine';
import type { RulesDeps } from '../deps';
import type { RuleFields } from '../documents/rule-documents';
import { templateOf } from '../templates';
import { changeRule, newRule } from './rule-writes';
import { presentRule } from './save-rules';

/** Rule data that fit. Paths of violations begin with `at`. */
export function checkedRule(rule: unknown, edition: Edition, registry: Registry, at: string): RuleData {
  const result = validateRule(rule, edition, registry);
  if (!result.ok) throw ruleRefused(result, at);
  return result.rule;
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidParameters([{ path: 'name', message: 'must not be empty' }]);
  return trimmed;
}

type Checking = { readonly edition: Edition; readonly registry: Registry; readonly at: string };

type State = Pick<RuleFields, 'enabled' | 'shadow'>;

/** On, in shadow or off: what is said of one of them decides about the other. */
function stateOf({ enabled, shadow, mode }: RuleChanges, before?: RuleFields): State {
  if (mode === 'live') return { enabled: enabled ?? (before?.enabled || before?.shadow || false), shadow: false };
  if (mode === 'shadow') return { enabled: false, shadow: before === undefined || enabled !== false };
  if (enabled && shadow)
    throw invalidParameters([{ path: 'shadow', message: 'a rule is either enabled or in shadow' }]);
  if (enabled === undefined && shadow === undefined)
    return { enabled: before?.enabled ?? false, shadow: before?.shadow ?? false };
  return { enabled: enabled ?? (!shadow && before?.enabled === true), shadow: shadow ?? false };
}

/** The rule after the changes. A rule that is switched on, or put in shadow, is checked again: what it is made of may be gone or need a licence. */
function changed(before: RuleFields, changes: RuleChanges, { edition, registry, at }: Checking): RuleFields {
  const next = changes.rule !== undefined ? changes.rule : before.rule;
  const isOn = changes.enabled === true || changes.shadow === true || changes.mode !== undefined;
  const check = changes.rule !== undefined || isOn;
  return {
    name: changes.name === undefined ? before.name : checkedName(changes.name),
    ...stateOf(changes, before),
    position: changes.position ?? before.position,
    stop_processing: changes.stop_processing ?? before.stop_processing,
    rule: check ? checkedRule(next, edition, registry, at) : before.rule,
  };
}

/** Names the parts that are missing, and what is wrong with a rule that is there. */
function incomplete({ name, rule }: RuleChanges, edition: Edition, registry: Registry): ServiceError {
  const absent = Object.entries({ name, rule }).flatMap(([path, value]) => (value === undefined ? path : []));
  const checked = rule === undefined ? undefined : validateRule(rule, edition, registry);
  const wrong = checked === undefined || checked.ok ? [] : violationsAt(checked.violations, 'rule');
  const violations = [...absent.map((path) => ({ path, message: requiredMessage })), ...wrong];
  return ruleRefused({ ok: false, code: 'rest_missing_callback_param', violations });
}

export const createRule: Answer<'rules.rule.create.v1', RulesDeps> = async (
  { changes, template, edition, actor },
  deps,
) => {
  const standard = template === undefined ? undefined : templateOf(template);
  const { name = standard?.name, rule = standard?.rule, stop_processing = false, position } = changes;
  if (name === undefined || rule === undefined) throw incomplete({ name, rule }, edition, deps.registry);
  const checked = checkedRule(rule, edition, deps.registry, 'rule');
  const fields = { name: checkedName(name), ...stateOf(changes), stop_processing, position, rule: checked };
  const id = await deps.takeIds(1);
  return changeRule({ actor, edition }, deps, async (set) => newRule(id, fields, set));
};

export const saveRule: Answer<'rules.rule.save.v1', RulesDeps> = async (
  { id, changes, rule_path = 'rule', if_match, edition, actor },
  deps,
) => {
  const checking = { edition, registry: deps.registry, at: rule_path };
  return changeRule({ actor, edition }, deps, async (set) => {
    const present = await presentRule(id, if_match, set, deps);
    return { ...present, fields: changed(present.before, changes, checking) };
  });
};

export const deleteRule: Answer<'rules.rule.delete.v1', RulesDeps> = async ({ id, if_match, actor }, deps) => {
  const { record, ...answer } = await changeRule({ actor }, deps, async (set) => {
    const present = await presentRule(id, if_match, set, deps);
    return { ...present, fields: present.before, deleted: true };
  });
  return answer;
};
