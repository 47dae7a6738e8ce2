import { Counter, Histogram } from 'prom-client';
import { createMetrics, metricsOf, metricsText } from './metrics';

test('two services with the same metric: declared once, told apart by label', async () => {
  const registries = ['audit', 'shop'].map((service, index) => {
    const registry = createMetrics(service);
    new Counter({ name: 'handled_total', help: 'Handled', labelNames: ['kind'], registers: [registry] }).inc(
      { kind: 'a"b\n' },
      index + 1,
    );
    new Histogram({ name: 'seconds', help: 'Seconds', buckets: [1], registers: [registry] }).observe(0.5);
    return registry;
  });
  const text = await metricsText(registries.map(metricsOf));
  expect(text.match(/# TYPE handled_total counter/g)).toHaveLength(1);
  expect(text).toContain('handled_total{kind="a\\"b\\n",service="audit"} 1\n');
  expect(text).toContain('handled_total{kind="a\\"b\\n",service="shop"} 2\n');
  expect(text.match(/seconds_bucket\{.*service="audit".*\} 1/g)).toHaveLength(2);
});
