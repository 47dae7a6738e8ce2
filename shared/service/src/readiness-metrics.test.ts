import { metricsText } from './metrics';
import { createReadiness, readinessMetrics } from './readiness';

test('a part is 1 while it is ready and 0 while it is not, and so is a part behind it', async () => {
  const readiness = createReadiness();
  const text = () => metricsText([readinessMetrics('shop', readiness)]);
  readiness.set('bus', 'not connected');
  readiness.probe('processing', () => [{ part: 'audit', reason: 'the disk is full' }]);
  expect(await text()).toContain('order_automation_part_ready{part="bus",service="shop"} 0');
  expect(await text()).toContain('order_automation_part_ready{part="processing",service="shop"} 1');
  expect(await text()).toContain('order_automation_part_ready{part="audit",service="shop"} 0');
  readiness.set('bus', undefined);
  readiness.probe('processing', () => []);
  expect(await text()).toContain('order_automation_part_ready{part="bus",service="shop"} 1');
  expect(await text()).not.toContain('part="audit"');
});
