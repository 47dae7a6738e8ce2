import { metricsText } from './metrics';
import { createReadiness, readinessMetrics } from './readiness';

test('ready when no part says otherwise', async () => {
  const readiness = createReadiness();
  expect(await readiness.missing()).toEqual([]);
  readiness.set('bus', 'connecting');
  readiness.probe('shop', () => ['no orders', 'no products']);
  expect(await readiness.missing()).toEqual([
    { part: 'bus', reason: 'connecting' },
    { part: 'shop', reason: 'no orders' },
    { part: 'shop', reason: 'no products' },
  ]);
  readiness.set('bus', undefined);
  readiness.probe('shop', () => Promise.resolve([]));
  expect(await readiness.missing()).toEqual([]);
});

test('a probe that throws, or never answers, is missing', async () => {
  const readiness = createReadiness(20);
  readiness.probe('a', () => {
    throw new Error('mongodb://me:canary@h is away');
  });
  readiness.probe('b', () => new Promise(() => undefined));
  expect(await readiness.missing()).toEqual([
    { part: 'a', reason: 'mongodb://[redacted]@h is away' },
    { part: 'b', reason: 'no answer within 20 ms' },
  ]);
});

test('many who ask at once are one question', async () => {
  let asked = 0;
  const readiness = createReadiness();
  readiness.probe('store', async () => {
    asked += 1;
    return [];
  });
  await Promise.all(Array.from({ length: 50 }, () => readiness.missing()));
  expect(asked).toBe(1);
});

test('a part that has not answered for long enough will not recover; one that answers again is well', async () => {
  let now = 0;
  const readiness = createReadiness(10, () => now);
  let answers = false;
  const probe = () => (answers ? [] : new Promise<readonly string[]>(() => undefined));
  readiness.probe('thread', probe, { stuckAfter: 60_000 });
  const reason = 'no answer within 10 ms';
  expect(await readiness.missing()).toEqual([{ part: 'thread', reason }]);
  now = 60_000;
  expect(await readiness.missing()).toEqual([{ part: 'thread', reason, permanent: true }]);
  answers = true;
  expect(await readiness.missing()).toEqual([]);
  answers = false;
  expect(await readiness.missing()).toEqual([{ part: 'thread', reason }]);
});

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
