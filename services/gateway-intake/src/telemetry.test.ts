import { createMetrics } from '@order-automation/service';
import pino from 'pino';
import { intakeTelemetry } from './telemetry';

// docs/operations/alerts.md, "Store Unavailable": on a full disk the lines about it must not fill it further.
test('a store that refuses every try is a line every ten seconds; the metric counts each webhook', async () => {
  const lines: string[] = [];
  const metrics = createMetrics('gateway-intake');
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const telemetry = intakeTelemetry({ metrics, log }, new Set());
  for (let tries = 0; tries < 50; tries += 1) telemetry.notStored(2, new Error('The disk is full.'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('The disk is full.');
  const failures = await metrics.getSingleMetric('order_automation_intake_store_failures_total')?.get();
  expect(failures?.values.map(({ value }) => value)).toEqual([100]);
});
