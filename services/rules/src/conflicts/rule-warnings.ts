import { isGenericType, type RuleData, type RuleRecord, type RuleWarning } from '@order-automation/contracts';
import { plainStatuses, type Registry } from '@order-automation/engine';
import { listeningOf, ofShop } from './conflicts';
import { contradictions } from './contradictions';

/** A condition that no occurrence of the trigger can pass. */
function triggerProblems(rule: RuleData, registry: Registry): string[] {
  const listening = listeningOf(rule, registry);
  const types = new Set(listening.map((one) => (one.type === 'gateway_event' ? (one.event ?? '*') : one.type)));
  if (types.size === 0 || types.has('*')) return [];
  const isKnown = [...types].every((type) => isGenericType(type) || ofShop.has(type));
  const isOfShop = [...types].every((type) => ofShop.has(type));
  return rule.conditions.flatMap(({ id, settings }) => {
    if (settings.operator === 'is_not') return [];
    const wanted = (settings.event_types ?? []) as string[];
    if (id === 'event_type' && isKnown && !wanted.some((type) => types.has(type)))
      return 'its trigger never fires on an event of a type that the condition event_type asks for';
    return id === 'source_gateway' && settings.include_null !== true && isOfShop
      ? 'its trigger fires on changes of the shop alone, and the condition source_gateway asks for a gateway'
      : [];
  });
}

/** The status that every occurrence of the trigger has just been entered, if there is one. */
function enteredStatus(rule: RuleData, registry: Registry): string | null {
  const statuses = new Set(
    listeningOf(rule, registry).map((one) => ('to_status' in one && one.to_status ? one.to_status : null)),
  );
  const [status = null] = statuses;
  return statuses.size === 1 ? status : null;
}

const undoing = /^(?!.*(?:subscription|dispute|refund|payout)).*(?:cancel|void|expire|fail|declin|denied|reject)/i;
const undone: ReadonlySet<string> = new Set(['change_status_to_cancelled', 'change_status_to_on_hold']);

/**
 * Whether the rule also takes a paid order back when another attempt at its payment comes to nothing: a trigger on the webhook itself fires on each
 * (decisions.md sections 6 and 12).
 */
function heedsAbandonedAttempts({ trigger, conditions, primaryAction }: RuleData): boolean {
  const { event_types } = trigger.settings;
  const heard = trigger.id === 'webhook_event' && Array.isArray(event_types) ? event_types.map(String) : [];
  const isGuarded = conditions.some(({ id }) => id === 'order_status');
  return !isGuarded && undone.has(primaryAction?.id ?? '') && heard.some((one) => undoing.test(one));
}

/** Warnings about a rule by itself. None of it stops a save. */
export function ruleWarnings(
  { id, name, rule }: Pick<RuleRecord, 'id' | 'name' | 'rule'>,
  registry: Registry,
): RuleWarning[] {
  const warnings: RuleWarning[] = [];
  const warn = (code: RuleWarning['code'], message: string) => warnings.push({ code, rule_ids: [id], message });
  if (!rule.primaryAction && rule.secondaryActions.length === 0)
    warn('no_action', `Rule "${name}" has no action: it can match, but nothing follows.`);
  for (const problem of [...contradictions(rule.conditions), ...triggerProblems(rule, registry)])
    warn('never_matches', `Rule "${name}" can never match: ${problem}.`);
  if (heedsAbandonedAttempts(rule))
    warn(
      'abandoned_attempt',
      `Rule "${name}" runs for every attempt at a payment that comes to nothing, also after another one has paid the order. Add the condition "Order status" with the statuses of unpaid orders.`,
    );
  const entered = enteredStatus(rule, registry);
  for (const { id: condition, settings } of rule.conditions) {
    if (entered === null || condition !== 'order_status') continue;
    const statuses = plainStatuses((settings.statuses ?? []) as string[]);
    if (!statuses.includes(entered))
      warn(
        'never_matches',
        `Rule "${name}" fires when an order enters ${entered}, but its condition wants ${statuses.join(' or ')}: it matches only when the order has moved on by then.`,
      );
  }
  return warnings;
}
