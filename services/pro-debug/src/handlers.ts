import {
  type Answer,
  invalidParameters,
  newId,
  type Order,
  type OrderSummary,
  type RequestInput,
  type RuleRecord,
} from '@order-automation/contracts';
import { compileRule, ruleRefused, validateRule } from '@order-automation/engine';
import type { DebugDeps } from './deps';
import { eventOf, factsOf, orderOf } from './readers/facts';
import { testRule, unsavedRecord } from './rule-tests/rule-test';
import { testRun } from './rule-tests/test-runs';
import { whyOf } from './why/why';
import { gatherSituation } from './why/why-situation';

/** 400 for a rule that is not valid, 404 `svc_order_not_found` and `svc_rule_not_found`. */
export const testRuleOnOrder: Answer<'debug.rule.test.v1', DebugDeps> = async (input, deps) => {
  const { runs, clock, logger, registry, orders } = deps;
  // Whatever its state: it is only looked at.
  const rule = compileRule({ ...(await recordOf(input, deps)), enabled: true }, registry);
  const facts = await factsOf(await orderOf(input.order_id, orders), await eventOf(input, deps), [rule], deps);
  const data = testRule(rule, facts);
  const now = clock.now();
  const id = newId('run', now);
  await runs.record(testRun(id, now, rule.record.rule, data));
  logger.info({ run: id, order_id: data.order_details.id, matched: data.matched }, 'rule tested');
  return { data };
};

async function recordOf(
  { rule_data, rule_id, edition }: RequestInput<'debug.rule.test.v1'>,
  { clock, registry, rules }: DebugDeps,
): Promise<RuleRecord> {
  if (rule_id !== undefined && rule_data !== undefined)
    throw invalidParameters([{ path: 'rule_id', message: 'cannot stand beside rule_data' }]);
  if (rule_id !== undefined) return rules.record(rule_id);
  const validation = validateRule(rule_data, edition, registry);
  if (!validation.ok) throw ruleRefused(validation);
  return unsavedRecord(validation.rule, clock.now());
}

/** One sentence on how an order came to stand as it does. */
export const whyOrder: Answer<'debug.order.why.v1', DebugDeps> = async ({ order_id }, deps) => ({
  data: whyOf(await gatherSituation(order_id, deps)),
});

export const searchOrders: Answer<'debug.order.search.v1', Pick<DebugDeps, 'orders'>> = async (
  { search = '', limit },
  { orders },
) => ({ data: (await orders.search(search, limit)).map(orderSummary) });

/** `$49.00`, exact at any size; the plain amount beside the code where the code is no currency. */
export function formatTotal(total: string, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    return format.format(total as `${number}`);
  } catch {
    return `${total} ${currency}`;
  }
}

const shortDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function customerOf({ billing }: Order): string {
  const name = [billing.first_name, billing.last_name].filter((part) => part !== '').join(' ');
  return name || billing.company || billing.email || 'Guest';
}

/** Section 2.7 of the specification. Dates are UTC. */
export function orderSummary(order: Order): OrderSummary {
  const { id, status, total, currency, date_created } = order;
  return {
    id,
    status,
    total,
    total_formatted: formatTotal(total, currency),
    currency,
    customer: customerOf(order),
    date: shortDate.format(new Date(date_created)),
    date_full: new Date(date_created).toISOString().slice(0, 19).replace('T', ' '),
  };
}
