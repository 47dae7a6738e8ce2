import { BusError } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { createLogger, createMetrics } from '@order-automation/service';
import { waitFor } from '@order-automation/testing';
import { guardedAsk } from './breakers';

const log = createLogger({ name: 'test', level: 'silent' });
const input = { page: 1, per_page: 20 };
const rules = 'rules.rule.list.v1';
const shop = 'shop.order.list.v1';

function setUp(answer: (type: string) => Promise<unknown>, options: { inFlight?: number; reset?: number } = {}) {
  const metrics = createMetrics('test');
  const asked: string[] = [];
  const guarded = guardedAsk(
    (async (type: string) => {
      asked.push(type);
      return answer(type);
    }) as never,
    { metrics, log, ...options },
  );
  const ask = (type: typeof rules | typeof shop) =>
    guarded.ask(type, input as never, 1000).catch((error: unknown) => error);
  const metric = async (name: string) => metrics.getSingleMetricAsString(`order_automation_edge_${name}`);
  return { asked, ask, metric, close: guarded.close };
}

const away = { status: 503, code: 'svc_unavailable' };

test('a service that does not answer is asked no more; the others are; it is tried again and trusted when it answers', async () => {
  let down = true;
  const { asked, ask, metric, close } = setUp(
    async (type) => {
      if (down && type === rules) throw new BusError('timeout', 'no answer');
      return 'fine';
    },
    { reset: 20 },
  );
  for (let count = 0; count < 30; count += 1) await ask(rules);
  expect(asked.length).toBeLessThan(20);
  expect(await ask(rules)).toMatchObject(away);
  expect(await metric('breaker_state')).toContain('peer="rules",service="test"} 2');
  expect(await ask(shop)).toBe('fine');
  down = false;
  await waitFor(async () => (await ask(rules)) === 'fine', { describe: 'the half-open breaker to try again' });
  expect(await metric('breaker_state')).toContain('peer="rules",service="test"} 0');
  expect(await metric('requests_refused_total')).toContain('reason="open"');
  close();
});

test('what a service refuses is an answer, and reaches the caller as it is', async () => {
  const { asked, ask, close } = setUp(async () => {
    throw new ServiceError(404, 'svc_rule_not_found', 'There is no such rule.');
  });
  for (let count = 0; count < 30; count += 1) expect(await ask(rules)).toMatchObject({ status: 404 });
  expect(asked).toHaveLength(30);
  close();
});

test('a slow service collects no more requests than allowed; the rest hears so at once', async () => {
  let release: (value: unknown) => void = () => undefined;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const { asked, ask, metric, close } = setUp(() => held, { inFlight: 5 });
  const waiting = Array.from({ length: 5 }, () => ask(rules));
  expect(await ask(rules)).toMatchObject(away);
  expect(asked).toHaveLength(5);
  expect(await metric('requests_in_flight')).toContain('peer="rules",service="test"} 5');
  release('late');
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('late'));
  expect(await metric('requests_in_flight')).toContain('peer="rules",service="test"} 0');
  close();
});
