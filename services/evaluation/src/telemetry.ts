import { countOf, metricsOfTable, type ServiceDeps } from '@order-automation/service';
import { reasonOf, waitsForShop } from './attempts/failures';
import { failedConditions, tallyOf } from './deciding/decide';
import { evaluatedSteps } from './deciding/shadow';
import type { DeliveryFigures } from './deliveries/figures';
import type { EvaluationDocument, RuleStep } from './evaluation-document';
import table from './metrics.json';
import { isResumed } from './resumed';

export type Stopwatch = (stage: 'taken_up' | 'decided' | 'effects' | 'done') => void;

export type Telemetry = ReturnType<typeof evaluationTelemetry>;

/** One helper per business event: metric and log line together. */
export function evaluationTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counters, gauges, histograms } = metricsOfTable(metrics, 'evaluation', table);
  return {
    /** Observes each stage of one try with the time since the stage before; the first counts from `receivedAt`. */
    stopwatch: (receivedAt: number, now: () => number): Stopwatch => {
      let before = receivedAt;
      return (stage) => {
        const at = now();
        histograms.stage_seconds.observe({ stage }, Math.max(0, at - before) / 1000);
        before = at;
      };
    },
    eventDone: (document: EvaluationDocument, now: number) => {
      const { _id, origin, process_id, order_id, cause, outcome, tries, fence } = document;
      const steps = evaluatedSteps(document);
      const seconds = Math.max(0, now - Date.parse(cause.received_at)) / 1000;
      counters.events_total.inc({ origin, outcome: outcome ?? 'error' });
      histograms.event_seconds.observe(seconds);
      const failing = failedConditions(document);
      for (const { effect, result } of steps.flatMap(({ actions }) => actions))
        counters.effects_total.inc({
          kind: effect.kind,
          result: isResumed(result, process_id) ? 'applied' : (result?.status ?? 'skipped'),
        });
      for (const [verdict, count] of countOf(steps.map(verdictOf))) counters.rules_total.inc({ verdict }, count);
      for (const [condition, count] of countOf(failing.map((one) => one.condition)))
        counters.first_failing_conditions_total.inc({ condition }, count);
      const { matched, actions, failures } = tallyOf(document);
      const counts = { rules: steps.length, matched, actions, failures };
      log.debug(
        {
          event_id: _id,
          event_type: cause.event_type,
          process_id,
          order_id,
          outcome,
          seconds,
          tries,
          fence,
          ...counts,
          first_failing: failing.map(({ rule_id, condition }) => `${rule_id}:${condition}`),
        },
        'event evaluated',
      );
    },
    failed: ({ _id, process_id, order_id, tries, attempts }: EvaluationDocument, error: unknown) => {
      counters.retries_total.inc({ cause: attempts > 0 ? 'event' : 'unavailable' });
      const fields = { event_id: _id, process_id, order_id, tries, attempts };
      if (waitsForShop(error)) log.debug({ ...fields, reason: reasonOf(error) }, 'event waits for the shop');
      else log.warn({ ...fields, err: error }, 'event failed, will be tried again');
    },
    delivery: (kind: string, result: string) => counters.deliveries_total.inc({ kind, result }),
    takenOver: () => counters.takeovers_total.inc(),
    deliveries: (figures: DeliveryFigures, now: number) => {
      gauges.deliveries_pending.set(figures.pending);
      gauges.deliveries_failed.set(figures.failed);
      gauges.deliveries_stuck.set(figures.stuck.total);
      const { since } = figures.stuck;
      gauges.oldest_stuck_delivery_seconds.set(since === null ? 0 : (now - Date.parse(since)) / 1000);
    },
    /** Milliseconds. */
    oldestOpen: (age: number) => gauges.oldest_open_seconds.set(age / 1000),
  };
}

const verdictOf = ({ matched, failed }: RuleStep): string => (matched ? 'match' : failed ? 'error' : 'no_match');
