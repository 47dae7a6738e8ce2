import type { DeliveryDocument } from './document';
import { afterTry, rearmed, type Tried } from './outcome';

const minute = 60_000;
const giveUpAfter = 60 * minute;

const first: DeliveryDocument = {
  _id: 'dlv_1',
  key: 'occ:3:1',
  kind: 'webhook',
  target: 'https://erp.example.com/hook',
  channel: 'erp.example.com',
  payload: '{}',
  event_id: 'evt_1',
  process_id: 'proc_1',
  order_id: 42,
  rule_id: 3,
  rule_name: 'Tell the ERP',
  action: { index: 1, id: 'send_webhook', label: 'Send webhook' },
  created_at: 0,
  state: 'pending',
  attempts: [],
  attempts_made: 0,
  failing_since: {},
  tries: 0,
  refusals: 0,
  reason: null,
  next_attempt_at: 0,
  ended_at: null,
  resends: 0,
  resent_by: null,
  entry: null,
  fence: 0,
  due: 0,
};

const busy: Tried = { kind: 'failed', cause: 'unavailable', message: 'It answered 503.', status: 503, answer: 'busy' };
const gone: Tried = { kind: 'failed', cause: 'unreachable', message: 'No answer.', status: null, answer: null };
const no: Tried = { kind: 'failed', cause: 'refused', message: 'It answered 400.', status: 400, answer: 'no' };
const held: Tried = { kind: 'held', message: 'The host failed too often lately.' };
const done: Tried = { kind: 'delivered', message: 'It answered 200.', status: 200, answer: 'thanks' };

/** Tries whenever one is due, and says when it ended; the log takes every entry. */
function live(tried: (now: number) => Tried, from: DeliveryDocument = first) {
  const told: string[] = [];
  let delivery = from;
  let now = 0;
  for (let tries = 0; delivery.state === 'pending' && tries < 10_000; tries += 1) {
    now = Math.max(now, delivery.next_attempt_at ?? now);
    delivery = afterTry(delivery, tried(now), { at: now, now, giveUpAfter, holdFor: 30_000 });
    if (delivery.entry) told.push(`${delivery.entry.event_type} ${delivery.entry.status}`);
    delivery = { ...delivery, entry: null };
  }
  return { delivery, now, told };
}

test('a try that succeeds ends it, and the log says what was answered', () => {
  const { delivery, told } = live(() => done);
  expect(delivery).toMatchObject({ state: 'delivered', attempts_made: 1, reason: null, next_attempt_at: null });
  expect(delivery.attempts).toEqual([
    { at: '1970-01-01T00:00:00.000Z', took_ms: 0, status: 200, error: null, answer: 'thanks' },
  ]);
  expect(told).toEqual(['action_executed success']);
});

test.each([
  ['a host that is busy', busy],
  ['a host that cannot be reached', gone],
])(
  '%s is tried until EFFECT_PATIENCE is over, the last time then; one line tells of it, and one of the end',
  (_, tried) => {
    const { delivery, now, told } = live(() => tried);
    expect(now).toBe(giveUpAfter);
    expect(delivery).toMatchObject({ state: 'failed', ended_at: giveUpAfter, next_attempt_at: null });
    expect(delivery.attempts_made).toBeGreaterThan(60);
    expect(delivery.attempts).toHaveLength(30);
    expect(delivery.attempts[0]?.at).toBe('1970-01-01T00:00:00.000Z');
    expect(told).toEqual(['retry_scheduled pending', 'dead_lettered error']);
  },
);

test('another cause begins anew; one that comes back does not', () => {
  const change = 50 * minute;
  const changing = live((now) => (now < change ? busy : gone));
  expect(changing.now).toBeGreaterThanOrEqual(change + giveUpAfter);
  expect(changing.now).toBeLessThanOrEqual(change + giveUpAfter + minute);
  const flapping = live((now) => (Math.floor(now / minute) % 2 === 0 ? busy : gone));
  expect(flapping.now).toBeLessThanOrEqual(giveUpAfter + 2 * minute);
  expect(flapping.told).toEqual(['retry_scheduled pending', 'retry_scheduled pending', 'dead_lettered error']);
});

test('what is refused is tried five times', () => {
  const { delivery, now } = live(() => no);
  expect(delivery).toMatchObject({ state: 'failed', attempts_made: 5, reason: 'It answered 400.' });
  expect(now).toBeLessThan(minute);
});

test('a call that is held back is no try, and does not last longer than EFFECT_PATIENCE', () => {
  const never = afterTry(first, held, { at: 0, now: 0, giveUpAfter, holdFor: 30_000 });
  expect(never).toMatchObject({ state: 'pending', attempts_made: 0, attempts: [], next_attempt_at: 30_000 });
  expect(never.entry).toMatchObject({ event_type: 'retry_scheduled' });
  const later = afterTry({ ...never, entry: null }, held, {
    at: 0,
    now: 10 * giveUpAfter,
    giveUpAfter,
    holdFor: 30_000,
  });
  expect(later).toMatchObject({ state: 'pending', entry: null });
  const { delivery, now } = live((at) => (at === 0 ? busy : held));
  expect(delivery).toMatchObject({ state: 'failed', attempts_made: 1 });
  expect(now).toBeLessThanOrEqual(giveUpAfter + 30_000);
});

test('armed again, it has the whole time again, and its attempts are kept', () => {
  const { delivery } = live(() => no);
  const again = rearmed(delivery, 0);
  expect(again).toMatchObject({ state: 'pending', tries: 0, refusals: 0, failing_since: {}, attempts_made: 5, due: 0 });
  expect(live(() => done, again).delivery).toMatchObject({ state: 'delivered', attempts_made: 6 });
});
