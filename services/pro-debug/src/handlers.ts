import { type Edition, newId, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import { type Registry, ruleRefused, validateRule } from '@order-automation/engine';
import type { Clock } from '@order-automation/service';
import type { OrderReader } from './order-reader';
import { orderSummary } from './order-summary';
import { compileUnsaved, testRule } from './rule-test';
import type { DebugTelemetry } from './telemetry';
import { type TestRuns, testRun } from './test-runs';

/** No bus: see `OrderReader`. */
export type DebugDeps = {
  readonly orders: OrderReader;
  readonly runs: TestRuns;
  readonly clock: Clock;
  readonly telemetry: DebugTelemetry;
  readonly registry: Registry;
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
};

function requireLicence(edition: Edition): void {
  if (edition === 'extended') return;
  throw new ServiceError(403, 'svc_licence_required', 'Debugging rules needs the extended edition.', {
    violations: [{ path: 'debug-rule', message: 'needs the extended edition' }],
  });
}

/** 403 without a licence, 400 for a rule that is not valid, 404 `svc_order_not_found`. */
export async function testRuleOnOrder(
  { order_id, rule_data, edition }: RequestInput<'debug.rule.test.v1'>,
  { orders, runs, clock, telemetry, registry, timeZone }: DebugDeps,
): Promise<RequestOutput<'debug.rule.test.v1'>> {
  requireLicence(edition);
  const validation = validateRule(rule_data, edition, registry);
  if (!validation.ok) throw ruleRefused(validation);
  const context = await orders.get(order_id);
  if (!context) throw new ServiceError(404, 'svc_order_not_found', `There is no order ${order_id}.`, { order_id });
  const now = clock.now();
  const rule = compileUnsaved(validation.rule, now, registry);
  const customer = rule.needs.includes('customer') ? await orders.customer(context.order) : null;
  const data = testRule(rule, { context, occurrence: null, customer, now, timeZone });
  const id = newId('run', now);
  await runs.record(testRun(id, now, validation.rule, data));
  telemetry.tested(id, data);
  return { data };
}

export async function searchOrders(
  { search = '', limit }: RequestInput<'debug.order.search.v1'>,
  { orders }: DebugDeps,
): Promise<RequestOutput<'debug.order.search.v1'>> {
  return { data: (await orders.search(search, limit)).map(orderSummary) };
}
