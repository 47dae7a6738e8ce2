import { BusError } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { createLogger, createMetrics } from '@order-automation/service';
import { waitFor } from '@order-automation/testing';
import { guardedAsk } from './breakers';

const log = createLogger({ name: 'test', level: 'silent' });
const input = { page: 1, per_page: 20 };
const rules = 'rules.rule.list.v1';
const shop = 'shop.order.list.v1';

function setUp(
  answer: (type: string) => Promise<unknown>,
  options: { inFlight?: number; waiting?: number; reset?: number } = {},
) {
  const metrics = createMetrics('test');
  const asked: string[] = [];
  const guarded = guardedAsk(
    (async (type: string) => {
      asked.push(type);
      return answer(type);
    }) as never,
    { metrics, log, ...options },
  );
  const ask = (type: typeof rules | typeof shop, timeout = 1000) =>
    guarded.ask(type, input as never, timeout).catch((error: unknown) => error);
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

/** Answers that the test gives. */
function held() {
  let release: (value: unknown) => void = () => undefined;
  const answer = new Promise((resolve) => {
    release = resolve;
  });
  return { answer, release: (value: unknown) => release(value) };
}

test('of a slow service some requests are in flight, some wait and are answered in their turn; the rest hears so at once', async () => {
  const { answer, release } = held();
  const { asked, ask, metric, close } = setUp(() => answer, { inFlight: 5, waiting: 3 });
  const waiting = Array.from({ length: 8 }, () => ask(rules, 60_000));
  expect(await ask(rules)).toMatchObject(away);
  expect(asked).toHaveLength(5);
  expect(await metric('requests_in_flight')).toContain('peer="rules",service="test"} 5');
  expect(await metric('requests_waiting')).toContain('peer="rules",service="test"} 3');
  expect(await metric('requests_refused_total')).toContain('reason="queue_full"');
  release('late');
  expect(await Promise.all(waiting)).toEqual(Array(8).fill('late'));
  expect(await metric('requests_in_flight')).toContain('peer="rules",service="test"} 0');
  expect(await metric('requests_waiting')).toContain('peer="rules",service="test"} 0');
  close();
});

test('a request waits for half of its time at most, and asks with what is left', async () => {
  const { answer, release } = held();
  const timeouts: number[] = [];
  const guarded = guardedAsk(
    (async (_type: string, _input: unknown, timeout: number) => {
      timeouts.push(timeout);
      return answer;
    }) as never,
    { metrics: createMetrics('test'), log, inFlight: 1 },
  );
  const ask = (timeout: number) => guarded.ask(rules, input as never, timeout).catch((error: unknown) => error);
  const first = ask(60_000);
  const began = performance.now();
  const second = ask(60_000);
  expect(await ask(40)).toMatchObject(away);
  const waited = performance.now() - began;
  expect(waited).toBeGreaterThanOrEqual(18);
  release('late');
  expect(await Promise.all([first, second])).toEqual(['late', 'late']);
  expect(timeouts[1]).toBeLessThanOrEqual(60_000 - 18);
  guarded.close();
});

test('when the breaker opens, those who wait hear so at once', async () => {
  let fail: () => void = () => undefined;
  const outage = new Promise<never>((_, reject) => {
    fail = () => reject(new BusError('timeout', 'no answer'));
  });
  const { asked, ask, metric, close } = setUp(() => outage, { inFlight: 10, waiting: 50 });
  const all = Array.from({ length: 40 }, () => ask(rules, 60_000));
  fail();
  const answers = await Promise.all(all);
  expect(asked).toHaveLength(10);
  expect(answers.filter((answer) => (answer as { status?: number }).status === 503)).toHaveLength(30);
  expect(await metric('requests_refused_total')).toMatch(/reason="open"[^\n]* 30/);
  close();
});
