import type { Settlement } from '@order-automation/bus';
import type { OrderChange, OrderRefunded } from '@order-automation/contracts';
import { registryWith } from '@order-automation/engine';
import {
  inSequence,
  keepNewest,
  loadExtensions,
  type Opened,
  openKeyRing,
  outageLog,
  type ServiceDeps,
  serviceOf,
  startPolling,
} from '@order-automation/service';
import { checkArrivalOrder } from './arrival-order/check';
import { attempt } from './attempts/attempts';
import { claimsPort } from './attempts/claims';
import { openEvaluations } from './attempts/evaluations';
import { subscribeToEvents } from './attempts/events';
import { eventDone, finisher } from './attempts/finish';
import { followUpsOf, heardTasks } from './attempts/follow-ups';
import { settled } from './attempts/settled';
import { type SweepDeps, startSweep, takeUp } from './attempts/sweep';
import { awaitsId, openWaitingRoom } from './attempts/waiting';
import { judgeEvents } from './backtest/judge-events';
import type { EvaluationConfig } from './config';
import { openRuleCache } from './deciding/rule-cache';
import { rulesOfEvent } from './deciding/rules-of-event';
import { deliveryFigures } from './deliveries/figures';
import { openOutgoing } from './deliveries/open';
import { stepPort } from './effects/effects';
import { foreignDays } from './entries/foreign-days';
import { type EvaluationDocument, newDocument, taskOf } from './evaluation-document';
import { openOrderHistory } from './history/order-history';
import { namedWith, openPaymentOrders } from './history/payment-orders';
import { type Look, soon } from './money/after-event';
import { openMoneyChecks } from './money/checks';
import { laws } from './money/laws';
import { auditPort, recordingAlone } from './ports/audit';
import { disabledRulesPort } from './ports/disabled-rules';
import { reportsPort, waitingPort } from './ports/reports';
import { shopPort } from './ports/shop';
import { startSchedules } from './schedules/schedules';
import { shopPreview } from './simulate/dry-ports';
import { simulateEvents } from './simulate/simulate';
import { deletedOrderOf, orderIdOf, type Task, taskOfEvent, taskOfShop } from './task';
import { evaluationTelemetry } from './telemetry';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds between two counts of what is open. */
const watchEvery = 10_000;
/** Milliseconds that a done document is kept: longer than intake can repeat an event (35 days). */
const keepDone = 40 * day;

/** Occurrence to rules to verdicts to effects (docs/decisions/0001, step 3). */
export const startEvaluation = serviceOf(async (deps, config: EvaluationConfig, opened) => {
  const { bus, clock } = deps;
  const parts = await openParts(deps, config, opened);
  const { rules, evaluations, handle, wake } = parts;
  if (config.isOnlyInstance) await evaluations.abandonLeases(clock.now());

  const reportUnmatched = (task: Task): Promise<void> =>
    parts.report(
      eventDone({ ...newDocument(task), order_id: orderIdOf(task), outcome: 'no_rules', done_at: clock.now() }),
    );
  const onReport = (reported: OrderChange | OrderRefunded): Promise<Settlement> =>
    settled(async () => {
      if (reported.kind !== 'refunded') await wake(reported.keys);
      if (reported.kind === 'status_changed' && reported.to === 'cancelled')
        await parts.money.look(reported.order_id, clock.now() + laws.paid_and_cancelled.grace);
      // Somebody may have cured it.
      if (reported.kind !== 'created' && reported.cause.depth === 0)
        await parts.money.lookAgain(clock.now() + soon, { _id: reported.order_id });
      const [heard] = heardTasks([reported], rules);
      await (heard ? handle(heard) : reportUnmatched(taskOfShop(reported)));
    });

  await subscribeToEvents(deps, (event) =>
    settled(async () => {
      const task = taskOfEvent(event);
      await handle(task);
      await parts.wakeNamed(task);
      await parts.endWaits(deletedOrderOf(task));
    }),
  );
  const onReports = (messages: readonly { readonly data: OrderChange | OrderRefunded }[]) =>
    Promise.all(messages.map(({ data }) => onReport(data)));
  await bus.subscribe('shop.order-changed.v1', 'evaluation', onReports, { maxBatch: 96, concurrency: 4 });
  await bus.subscribe('shop.order-refunded.v1', 'evaluation', onReports, { maxBatch: 96 });
  const { secrets } = parts.outgoing;
  await bus.respond('evaluation.event.rules.v1', (input) => rulesOfEvent(input, evaluations));
  await bus.respond('evaluation.event.simulate.v1', (input) => simulateEvents(input, parts.simulating));
  await bus.respond('evaluation.events.judge.v1', (input) => judgeEvents(input, parts.judging));
  await bus.respond('evaluation.arrival-order.check.v1', (input) => checkArrivalOrder(input, parts.judging));
  await bus.respond('evaluation.facts.forget.v1', async ({ event_ids }) => ({
    forgotten: await evaluations.forgetFacts({ ids: event_ids }),
  }));
  await bus.respond('evaluation.secret.list.v1', secrets.list);
  await bus.respond('evaluation.secret.put.v1', secrets.put);
  await bus.respond('evaluation.secret.delete.v1', secrets.remove);
  await parts.outgoing.respond();
  await bus.respond('evaluation.money.list.v1', parts.money.list);
  await bus.respond('evaluation.money.check.v1', parts.money.goRound);
  opened('money checks', parts.money.start().close);
  opened('sweep', startSweep(parts.sweeping, deps).close);
  const { deliveries } = parts.outgoing;
  const { telemetry } = parts.sweeping;
  const count = async (): Promise<void> => {
    const now = clock.now();
    telemetry.deliveries(await deliveryFigures(deliveries, now), now);
  };
  opened('watch', startPolling('evaluation watch', watchEvery, count, deps).close);
  const record = recordingAlone(parts.record);
  const schedules = await startSchedules({ ...deps, rules, handle, record, timeZone: config.timeZone });
  opened('schedules', schedules.close);
  const reportForeign = foreignDays({ evaluations, record });
  opened('cleaning', startPolling('cleaning up', day / 24, () => parts.purge(clock.now()), deps).close);
  opened('sums', startPolling('sums of foreign events', day / 24, () => reportForeign(clock.now()), deps).close);
  return {};
});

async function openParts(deps: ServiceDeps, config: EvaluationConfig, opened: Opened) {
  const { bus, store, clock } = deps;
  const keys = await openKeyRing(config.secretKey.reveal(), deps);
  opened('keys', keys.close);
  const evaluations = await openEvaluations(store);
  const history = await openOrderHistory(store);
  const registry = await registryWith(
    (of) => loadExtensions(config.extensions, 'register_components', of),
    config.awaitingPayment,
  );
  const rules = await openRuleCache(deps, registry);
  opened('rules', rules.close);
  const telemetry = evaluationTelemetry(deps);
  const shop = shopPort(bus, outageLog('the shop', deps));
  const disabledRules = disabledRulesPort(bus, clock, rules.current);
  const claims = claimsPort(evaluations, clock);
  const record = auditPort(bus);
  const report = reportsPort(bus, clock);
  const followUps = followUpsOf({ claims, rules, attempt: (task, document) => attempt(task, sweeping, document) });
  const finish = finisher({ claims, record, report, followUps, telemetry, clock });
  const { orderWait, timeZone, giveUpAfter } = config;
  const reportWaiting = waitingPort(bus, clock);
  const waiting = await openWaitingRoom({ store, claims, record, finish, reportWaiting, clock, orderWait });
  const outgoing = await openOutgoing(deps, keys, config, recordingAlone(record), telemetry, evaluations);
  opened('deliveries', outgoing.close);
  opened('follow-ups', followUps.idle);
  const { mail, queue } = outgoing;
  const runStep = stepPort({ shop, mail, queue, clock });
  const awaiting = new Set(config.awaitingPayment);
  const local = { clock, timeZone, awaiting };
  const money = await openMoneyChecks({ ...deps, history, shop, record: recordingAlone(record), awaiting });
  const finder = await openPaymentOrders(store, shop);
  const ports = {
    ...local,
    shop: { ...shop, find: finder(true) },
    claims,
    inTurn: inSequence(),
    history,
    rules,
    disabledRules,
    runStep,
    waiting,
    finish,
    lookAtMoney: (orderId: number, { after, unproven }: Look) => money.look(orderId, clock.now() + after, unproven),
    stopwatch: telemetry.stopwatch,
  };
  const common = { ports, claims, record, report, followUps, telemetry, clock, giveUpAfter, startedAt: clock.now() };
  const sweeping: SweepDeps = { ...common, evaluations, waiting };
  const reading = { find: finder(false), get: shop.get, customer: shop.customer };
  const readers = { shop: reading, preview: shopPreview(bus), history, rules, disabledRules };
  const judging = { ...local, evaluations, rules, registry, checked: new WeakMap(), inTurn: inSequence() };
  const simulating = { ...local, ...readers, mail };
  const seen = new Set<string>();

  /** An event that was seen before is left to the process that has it; one that is finished is reported again. */
  const handle = async (task: Task): Promise<void> => {
    const isRepeated = seen.has(task.id);
    seen.add(task.id);
    keepNewest(seen, maxSeen);
    const known = isRepeated ? await claims.known(task.id) : null;
    const taken = known !== null || (await attempt(task, sweeping)) === 'taken';
    const document = taken ? (known ?? (await claims.known(task.id))) : null;
    if (!document) return;
    if (isFinished(document)) await report(eventDone(document));
    else await waiting.tellAgain(document);
  };

  const waitingFor = async (keys: readonly string[]): Promise<EvaluationDocument[]> =>
    (await evaluations.byIds(await waiting.eventsAwaiting(keys))).filter(({ state }) => state === 'waiting');
  /** Events that wait for an order with one of these ids go on at once, but for the one that says so, and what waits for these after them. */
  const wake = async (keys: readonly string[], by?: string): Promise<void> => {
    const others = (await waitingFor(keys)).filter(({ _id }) => _id !== by);
    const goOn = async (document: EvaluationDocument): Promise<void> => {
      if (await takeUp(document, sweeping)) await wakeNamed(taskOf(document));
    };
    await Promise.all(others.map(goOn));
  };
  /** Events that wait for the order of a payment, which this one has named. */
  const wakeNamed = async (task: Task): Promise<void> => {
    const keys = namedWith(task);
    if (keys.length > 0 && !(await waiting.isEmpty())) await wake(keys, task.id);
  };
  /** Events that wait for an order which the shop has deleted end. */
  const endWaits = async (id: number | null): Promise<void> => {
    const ofOrder = id === null ? [] : (await waitingFor([`number:${id}`])).filter((one) => awaitsId(one, id));
    await Promise.all(ofOrder.map((document) => takeUp({ ...document, deleted: true as const }, sweeping)));
  };
  const purge = async (now: number): Promise<void> => {
    await evaluations.purge(now - keepDone);
    if (config.retention < keepDone) await evaluations.forgetFacts({ before: now - config.retention });
    await waiting.purge(now - day);
  };
  return {
    evaluations,
    rules,
    record,
    report,
    sweeping,
    simulating,
    judging,
    handle,
    wake,
    wakeNamed,
    endWaits,
    outgoing,
    money,
    purge,
  };
}

/** Events of the last minutes: one that is delivered again is looked up before anything else is asked about it. */
const maxSeen = 10_000;

const isFinished = ({ state }: EvaluationDocument): boolean => state === 'done' || state === 'dead';
