import type { ServiceDeps } from '@order-automation/service';
import { Counter, Histogram } from 'prom-client';
import type { ActionRecord, EvaluationDocument } from './evaluations';

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
  const logDone = ({ _id: event_id, process_id, order_id, outcome }: EvaluationDocument): void =>
    log.debug({ event_id, process_id, order_id, outcome }, 'event evaluated');
  return {
    actionsDone: (answered: readonly Pick<ActionRecord, 'id' | 'result'>[]) => {
      for (const [[action = '', status = ''], count] of alike(answered, ({ id, result }) => `${id} ${result?.status}`))
        actions.inc({ action, status }, count);
    },
    eventsDone: (documents: readonly EvaluationDocument[], now: number) => {
      const ended = alike(documents, ({ origin, outcome }) => `${origin} ${outcome ?? 'error'}`);
      for (const [[origin = '', outcome = ''], count] of ended) events.inc({ origin, outcome }, count);
      const verdicts = { match: 0, error: 0, no_match: 0 };
      for (const document of documents) {
        for (const step of document.steps) verdicts[step.matched ? 'match' : step.failed ? 'error' : 'no_match'] += 1;
        duration.observe(Math.max(0, now - Date.parse(document.cause.received_at)) / 1000);
        logDone(document);
      }
      for (const [verdict, count] of Object.entries(verdicts)) if (count > 0) rules.inc({ verdict }, count);
    },
    takenOver: (count: number) => takeovers.inc(count),
    setBack: (error: unknown, count: number) =>
      log.warn({ err: error, events: count }, 'events could not be finished and will be taken up again'),
    gaveUp: (eventId: string, error: unknown) => log.error({ err: error, event_id: eventId }, 'event given up'),
  };
}

/** How many items have the same labels: a batch adds to a counter once for all of them. Labels hold no space. */
function alike<Item>(items: readonly Item[], labelsOf: (item: Item) => string): [labels: string[], count: number][] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const labels = labelsOf(item);
    counts.set(labels, (counts.get(labels) ?? 0) + 1);
  }
  return [...counts].map(([labels, count]) => [labels.split(' '), count]);
}
