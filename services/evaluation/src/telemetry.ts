import { metricsOfService, type ServiceDeps } from '@order-automation/service';
import { tallyOf } from './decide';
import type { DeliveryFigures } from './deliveries/figures';
import type { EvaluationDocument } from './evaluation-document';
import { reasonOf, waitsForShop } from './failures';
import { liveSteps } from './shadow';

/** Called when an event has passed a stage. */
export type Stopwatch = (stage: 'taken_up' | 'decided' | 'effects' | 'done') => void;

export type Telemetry = ReturnType<typeof evaluationTelemetry>;

/** One helper per business event: metric and log line together. */
export function evaluationTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counter, gauge, histogram } = metricsOfService(metrics, 'evaluation');
  const events = counter('events_total', 'Events evaluated to the end, by origin and outcome', ['origin', 'outcome']);
  const rules = counter('rules_total', 'Rules evaluated, by verdict', ['verdict']);
  const failing = counter(
    'first_failing_conditions_total',
    'Rules that did not match, by the first condition that failed',
    ['condition'],
  );
  const effects = counter('effects_total', 'Effects, by kind and result', ['kind', 'result']);
  const deliveries = counter('deliveries_total', 'Tries to deliver e-mails and outbound calls, by kind and result', [
    'kind',
    'result',
  ]);
  const duration = histogram(
    'event_seconds',
    'From the arrival of an event until its effects and entries are stored',
    [0.01, 0.05, 0.25, 1, 5, 30, 600],
  );
  const stages = histogram(
    'stage_seconds',
    'Time of an event in each stage: received until taken up, until the first decision is stored, until effects are carried out, until it is done',
    [0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600],
    ['stage'],
  );
  const retries = counter(
    'retries_total',
    'Tries of an event that failed, by whether something was unavailable or the event failed by itself',
    ['cause'],
  );
  const takeovers = counter('takeovers_total', 'Events that were taken up again');
  const oldest = gauge(
    'oldest_open_seconds',
    'Age of the oldest event that is being evaluated, without those that wait for their order; 0 when there is none',
  );
  const open = gauge('open_events', 'Events that are being evaluated or tried again');
  const pending = gauge('deliveries_pending', 'E-mails and outbound calls that wait for their first or another try');
  const failedDeliveries = gauge(
    'deliveries_failed',
    'E-mails and outbound calls that were given up and not sent again since',
  );
  const stuck = gauge(
    'deliveries_stuck',
    'E-mails and outbound calls that have been in the queue for more than ten minutes',
  );
  const oldestStuck = gauge(
    'oldest_stuck_delivery_seconds',
    'How long the oldest of the stuck e-mails and outbound calls has been in the queue; 0 when there is none',
  );
  return {
    /** Observes each stage of one try with the time since the stage before; the first counts from `receivedAt`. */
    stopwatch: (receivedAt: number, now: () => number): Stopwatch => {
      let before = receivedAt;
      return (stage) => {
        const at = now();
        stages.observe({ stage }, Math.max(0, at - before) / 1000);
        before = at;
      };
    },
    eventDone: (document: EvaluationDocument, now: number) => {
      const { _id, origin, process_id, order_id, cause, outcome, tries, fence } = document;
      const steps = liveSteps(document.steps);
      const seconds = Math.max(0, now - Date.parse(cause.received_at)) / 1000;
      events.inc({ origin, outcome: outcome ?? 'error' });
      duration.observe(seconds);
      const failed: string[] = [];
      const verdicts = new Map<string, number>();
      const firstFailing = new Map<string, number>();
      for (const step of steps) {
        countOne(verdicts, step.matched ? 'match' : step.failed ? 'error' : 'no_match');
        const condition = step.matched ? undefined : step.conditions.find(({ result }) => result !== 'pass')?.id;
        if (condition !== undefined) {
          countOne(firstFailing, condition);
          failed.push(`${step.rule_id}:${condition}`);
        }
        for (const { effect, result } of step.actions)
          effects.inc({ kind: effect.kind, result: result?.status ?? 'skipped' });
      }
      for (const [verdict, count] of verdicts) rules.inc({ verdict }, count);
      for (const [condition, count] of firstFailing) failing.inc({ condition }, count);
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
          first_failing: failed,
        },
        'event evaluated',
      );
    },
    failed: ({ _id, process_id, order_id, tries, attempts }: EvaluationDocument, error: unknown) => {
      retries.inc({ cause: attempts > 0 ? 'event' : 'unavailable' });
      const fields = { event_id: _id, process_id, order_id, tries, attempts };
      if (waitsForShop(error)) log.debug({ ...fields, reason: reasonOf(error) }, 'event waits for the shop');
      else log.warn({ ...fields, err: error }, 'event failed, will be tried again');
    },
    delivery: (kind: string, result: string) => deliveries.inc({ kind, result }),
    takenOver: () => takeovers.inc(),
    deliveries: (figures: DeliveryFigures, now: number) => {
      pending.set(figures.pending);
      failedDeliveries.set(figures.failed);
      stuck.set(figures.stuck.total);
      const { since } = figures.stuck;
      oldestStuck.set(since === null ? 0 : (now - Date.parse(since)) / 1000);
    },
    open: (count: number) => open.set(count),
    /** Milliseconds. */
    oldestOpen: (age: number) => oldest.set(age / 1000),
  };
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
