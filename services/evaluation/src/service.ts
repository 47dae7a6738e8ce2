import type { Settlement } from '@order-automation/bus';
import type { Occurrence, OrderChange, OrderRefunded } from '@order-automation/contracts';
import { occurrenceOfChange, occurrenceOfRefund, registryWith } from '@order-automation/engine';
import { loadExtensions, type Service, type ServiceDeps } from '@order-automation/service';
import { attempt } from './attempts';
import type { EvaluationConfig } from './config';
import { listDeadLetters, rulesOfEvent } from './dead-letters';
import { effectsPort } from './effects/effects';
import { emailEffect } from './effects/email';
import { orderEffect } from './effects/order';
import { openOutbound } from './effects/outbound';
import { webhookEffect } from './effects/webhook';
import { type EvaluationDocument, newDocument, openEvaluations } from './evaluations';
import { subscribeToEvents } from './events';
import { eventDone, finisher } from './finish';
import { openOrderHistory } from './order-history';
import { auditPort } from './ports/audit';
import { claimsPort } from './ports/claims';
import { disabledRulesPort } from './ports/disabled-rules';
import { reportsPort } from './ports/reports';
import { shopPort } from './ports/shop';
import { orderTurns } from './ports/turns';
import { openRuleCache } from './rule-cache';
import { startSchedules } from './schedules';
import { settled } from './settled';
import { type SweepDeps, startSweep, takeUp } from './sweep';
import { orderIdOf, type Task, taskOfChange, taskOfEvent, taskOfRefund } from './task';
import { evaluationTelemetry } from './telemetry';
import { openWaitingRoom } from './waiting';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds that a done document is kept: longer than intake can repeat an event (35 days). */
const keepDone = 40 * day;

/** Occurrence to rules to verdicts to effects (docs/decisions/0001, step 3). */
export async function startEvaluation(deps: ServiceDeps, config: EvaluationConfig): Promise<Service> {
  const { bus, clock, log } = deps;
  const parts = await openParts(deps, config);
  const { rules, evaluations, handle, wake } = parts;
  if (config.alone) await evaluations.abandonLeases(clock.now());

  const listeners = (occurrence: Occurrence): number => rules.current().forOccurrence(occurrence).length;
  const unheard = (task: Task): Promise<void> =>
    parts.report(
      eventDone({ ...newDocument(task), order_id: orderIdOf(task), outcome: 'no_rules', done_at: clock.now() }),
    );
  const onChange = (change: OrderChange): Promise<Settlement> =>
    settled(async () => {
      const task = taskOfChange(change);
      await wake(change.keys);
      const listened = change.kind !== 'identified' && listeners(occurrenceOfChange(change)) > 0;
      await (listened ? handle(task) : unheard(task));
    });
  const onRefund = (refund: OrderRefunded): Promise<Settlement> =>
    settled(async () => {
      const task = taskOfRefund(refund);
      await (listeners(occurrenceOfRefund(refund)) > 0 ? handle(task) : unheard(task));
    });

  const subscriptions = [
    ...(await subscribeToEvents(deps, (event) => settled(() => handle(taskOfEvent(event))))),
    await bus.subscribe(
      'shop.order-changed.v1',
      'evaluation',
      (messages) => Promise.all(messages.map(({ data }) => onChange(data))),
      { maxBatch: 96, concurrency: 4 },
    ),
    await bus.subscribe(
      'shop.order-refunded.v1',
      'evaluation',
      (messages) => Promise.all(messages.map(({ data }) => onRefund(data))),
      { maxBatch: 96 },
    ),
  ];
  const { secrets } = parts.outbound;
  subscriptions.push(
    await bus.respond('evaluation.dead-letter.list.v1', (input) => listDeadLetters(input, evaluations)),
    await bus.respond('evaluation.event.rules.v1', (input) => rulesOfEvent(input, evaluations)),
    await bus.respond('evaluation.secret.list.v1', secrets.list),
    await bus.respond('evaluation.secret.put.v1', secrets.put),
    await bus.respond('evaluation.secret.delete.v1', secrets.remove),
  );
  const sweep = startSweep(parts.sweeping, deps);
  const schedules = await startSchedules({ ...deps, rules, handle, timeZone: config.timeZone });
  const cleaning = setInterval(() => {
    evaluations.purge(clock.now() - keepDone).catch((error: unknown) => log.warn({ err: error }, 'cleaning up failed'));
  }, day / 24);
  cleaning.unref();

  return {
    close: async () => {
      clearInterval(cleaning);
      for (const subscription of subscriptions) await subscription.close();
      await schedules.close();
      await sweep.close();
      await parts.outbound.close();
      await rules.close();
    },
  };
}

async function openParts(deps: ServiceDeps, config: EvaluationConfig) {
  const { bus, store, clock } = deps;
  const evaluations = await openEvaluations(store);
  const history = await openOrderHistory(store);
  const registry = await registryWith((of) => loadExtensions(config.extensions, 'register_components', of));
  const rules = await openRuleCache(deps, registry);
  const telemetry = evaluationTelemetry(deps);
  const shop = shopPort(bus);
  const disabledRules = disabledRulesPort(bus, clock);
  const claims = claimsPort(evaluations, clock);
  const record = auditPort(bus);
  const report = reportsPort(bus, clock);
  const finish = finisher(claims, record, report, telemetry, clock);
  const waiting = await openWaitingRoom({ store, claims, record, finish, clock, orderWait: config.orderWait });
  const outbound = await openOutbound(deps, config, record, telemetry);
  const { queue, mail } = outbound;
  const effects = effectsPort({
    order: orderEffect(shop, mail, queue),
    email: emailEffect(mail, queue),
    webhook: webhookEffect(shop, queue, clock),
  });
  const { timeZone } = config;
  const ports = {
    shop,
    claims,
    turns: orderTurns(),
    history,
    rules,
    disabledRules,
    effects,
    waiting,
    finish,
    clock,
    stopwatch: telemetry.stopwatch,
    timeZone,
  };
  const patience = config.effectPatience;
  const sweeping: SweepDeps = { ports, claims, record, report, telemetry, clock, patience, evaluations, waiting };

  /** An event that was seen before is left to the process that has it; one that is finished is reported again. */
  const handle = async (task: Task): Promise<void> => {
    const known = await claims.known(task.id);
    if (!known) await attempt(task, sweeping);
    else if (isFinished(known)) await report(eventDone(known));
  };

  /** Events that wait for an order with one of these ids go on at once. */
  const wake = async (keys: readonly string[]): Promise<void> => {
    const documents = await evaluations.byIds(await waiting.eventsAwaiting(keys));
    await Promise.all(
      documents.filter(({ state }) => state === 'waiting').map((document) => takeUp(document, sweeping)),
    );
  };
  return { evaluations, rules, report, sweeping, handle, wake, outbound };
}

const isFinished = ({ state }: EvaluationDocument): boolean => state === 'done' || state === 'dead';
