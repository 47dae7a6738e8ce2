import { createLogger, createMetrics } from '@order-automation/service';
import { buildEvent } from '@order-automation/testing';
import { type ActionOutcome, newDocument, type RuleStep } from './evaluation-document';
import { taskOfEvent } from './task';
import { evaluationTelemetry } from './telemetry';

const at = '2026-01-02T03:04:05.000Z';

/** One matched rule whose note ended so. */
function noted(result: Pick<ActionOutcome, 'status' | 'by'>): RuleStep {
  const effect = { kind: 'order' as const, command: { kind: 'add_note' as const, note: 'x', customer_note: false } };
  const named = { index: 1, kind: 'secondary' as const, id: 'add_order_note', label: 'Add order note', key: 'k' };
  const actions = [{ ...named, effect, message: 'add a note', result: { ...result, message: 'Added.', changes: [] } }];
  const rule = { rule_id: 1, rule_name: 'Note', rule_version: 1, reason: '', conditions: [], stop: false, at };
  return { key: 'occurrence:1', revision: null, matched: true, failed: false, ...rule, actions };
}

test('an effect whose first answer was lost counts as applied, as in the log; one of another event does not', async () => {
  const metrics = createMetrics('evaluation');
  const telemetry = evaluationTelemetry({ metrics, log: createLogger({ name: 'test', level: 'silent' }) });
  const webhook = { connection: null, body_bytes: 2, metadata: {} };
  const task = taskOfEvent({ event: buildEvent({ receivedAt: at }), process_id: 'proc_1', webhook });
  const steps = [
    noted({ status: 'applied', by: 'proc_1' }),
    noted({ status: 'already_applied', by: 'proc_1' }),
    noted({ status: 'already_applied', by: 'proc_2' }),
  ];
  telemetry.eventDone({ ...newDocument(task), steps, outcome: 'success' }, Date.parse(at));
  const effects = await metrics.getSingleMetric('order_automation_evaluation_effects_total')?.get();
  expect(effects?.values.map(({ labels, value }) => [labels.result, value])).toEqual([
    ['applied', 2],
    ['already_applied', 1],
  ]);
});
