import type { ServiceDeps } from '@order-automation/service';
import { Counter, Histogram } from 'prom-client';
import type { ActionOutcome, EvaluationDocument } from './evaluations';

export type Telemetry = ReturnType<typeof evaluationTelemetry>;

/** One helper per business event: metric and log line together. */
export function evaluationTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const registers = [metrics];
  const events = new Counter({
    name: 'evaluation_events_total',
    help: 'Events evaluated to the end, by outcome',
    labelNames: ['origin', 'outcome'],
    registers,
  });
  const rules = new Counter({
    name: 'evaluation_rules_total',
    help: 'Rules evaluated, by verdict',
    labelNames: ['verdict'],
    registers,
  });
  const actions = new Counter({
    name: 'evaluation_actions_total',
    help: 'Actions answered by the shop, by component and status',
    labelNames: ['action', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'evaluation_event_duration_seconds',
    help: 'From the arrival of an event until its effects and entries are stored',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
    registers,
  });
  const takeovers = new Counter({
    name: 'evaluation_takeovers_total',
    help: 'Open events continued by a sweep',
    registers,
  });
  return {
    actionDone: (action: string, status: ActionOutcome['status']) => actions.inc({ action, status }),
    eventDone: (document: EvaluationDocument, now: number) => {
      const outcome = document.outcome ?? 'error';
      events.inc({ origin: document.origin, outcome });
      for (const step of document.steps)
        rules.inc({ verdict: step.matched ? 'match' : step.failed ? 'error' : 'no_match' });
      duration.observe(Math.max(0, now - Date.parse(document.cause.received_at)) / 1000);
      log.debug(
        { event_id: document._id, process_id: document.process_id, order_id: document.order_id, outcome },
        'event evaluated',
      );
    },
    takenOver: (count: number) => takeovers.inc(count),
    setBack: (error: unknown, count: number) =>
      log.warn({ err: error, events: count }, 'events could not be finished and will be taken up again'),
    gaveUp: (eventId: string, error: unknown) => log.error({ err: error, event_id: eventId }, 'event given up'),
  };
}
