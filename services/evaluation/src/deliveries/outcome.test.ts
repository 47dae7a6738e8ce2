import type { NewAuditEntry } from '@order-automation/contracts';
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
  const entries: NewAuditEntry[] = [];
  let delivery = from;
  let now = 0;
  for (let tries = 0; delivery.state === 'pending' && tries < 10_000; tries += 1) {
    now = Math.max(now, delivery.next_attempt_at ?? now);
    delivery = afterTry(delivery, tried(now), { at: now, now, startedAt: 0, giveUpAfter, holdFor: 30_000 });
    if (delivery.entry) entries.push(delivery.entry);
    delivery = { ...delivery, entry: null };
  }
  const logged = entries.map(({ event_type, status }) => `${event_type} ${status}`);
  return { delivery, now, logged, lastEntry: entries.at(-1) };
}

test('the entry about an order without an address names none: the store takes no field that is undefined', () => {
  const addressOf = (email?: string) =>
    Object.entries(live(() => done, { ...first, email }).lastEntry ?? {}).filter(([field]) => field === 'email');
  expect([addressOf(), addressOf('ada@example.com')]).toEqual([[], [['email', 'ada@example.com']]]);
});

test('a try that succeeds ends it, and the log says what was answered', () => {
  const { delivery, logged } = live(() => done);
  expect(delivery).toMatchObject({ state: 'delivered', attempts_made: 1, reason: null, next_attempt_at: null });
  expect(delivery.attempts).toEqual([
    { at: '1970-01-01T00:00:00.000Z', took_ms: 0, status: 200, error: null, answer: 'thanks' },
  ]);
  expect(logged).toEqual(['action_executed success']);
});

test.each([
  ['a host that is busy', busy],
  ['a host that cannot be reached', gone],
])(
  '%s is tried until EFFECT_PATIENCE is over, the last time then; one line tells of it, and one of the end',
  (_, tried) => {
    const { delivery, now, logged } = live(() => tried);
    expect(now).toBe(giveUpAfter);
    expect(delivery).toMatchObject({ state: 'failed', ended_at: giveUpAfter, next_attempt_at: null });
    expect(delivery.attempts_made).toBeGreaterThan(60);
    expect(delivery.attempts).toHaveLength(30);
    expect(delivery.attempts[0]?.at).toBe('1970-01-01T00:00:00.000Z');
    expect(logged).toEqual(['retry_scheduled pending', 'dead_lettered error']);
  },
);

test('another cause has its own time; one that returns does not', () => {
  const change = 50 * minute;
  const changing = live((now) => (now < change ? busy : gone));
  expect(changing.now).toBeGreaterThanOrEqual(change + giveUpAfter);
  expect(changing.now).toBeLessThanOrEqual(change + giveUpAfter + minute);
  const flapping = live((now) => (Math.floor(now / minute) % 2 === 0 ? busy : gone));
  expect(flapping.now).toBeLessThanOrEqual(giveUpAfter + 2 * minute);
  expect(flapping.logged).toEqual(['retry_scheduled pending', 'retry_scheduled pending', 'dead_lettered error']);
});

test('what is refused is tried five times', () => {
  const { delivery, now } = live(() => no);
  expect(delivery).toMatchObject({ state: 'failed', attempts_made: 5, reason: 'It answered 400.' });
  expect(now).toBeLessThan(minute);
});

test('what cannot be sent is given up too, and neither the reason nor the log speaks of attempts', () => {
  const unsent: Tried = { kind: 'unsent', message: 'The address is not a public one.' };
  const { delivery, lastEntry } = live(() => unsent);
  expect(delivery).toMatchObject({ state: 'failed', attempts_made: 0, attempts: [], tries: 5 });
  expect(delivery.reason).toBe('Nothing was sent. The address is not a public one.');
  expect(lastEntry?.summary).toContain('given up: Nothing was sent. The address is not a public one.');
  const later = live(() => unsent, rearmed(live(() => no).delivery, 0));
  expect(later.delivery).toMatchObject({ state: 'failed', attempts_made: 5 });
  expect(later.lastEntry?.summary).toContain('given up after 5 attempts: Nothing more was sent. The address');
});

test('a call that is held back is no try, and does not last longer than EFFECT_PATIENCE', () => {
  const never = afterTry(first, held, { at: 0, now: 0, startedAt: 0, giveUpAfter, holdFor: 30_000 });
  expect(never).toMatchObject({ state: 'pending', attempts_made: 0, attempts: [], next_attempt_at: 30_000 });
  expect(never.entry).toMatchObject({ event_type: 'retry_scheduled' });
  const later = afterTry({ ...never, entry: null }, held, {
    at: 0,
    now: 10 * giveUpAfter,
    startedAt: 0,
    giveUpAfter,
    holdFor: 30_000,
  });
  expect(later).toMatchObject({ state: 'pending', entry: null });
  const { delivery, now } = live((at) => (at === 0 ? busy : held));
  expect(delivery).toMatchObject({ state: 'failed', attempts_made: 1 });
  expect(now).toBeLessThanOrEqual(giveUpAfter + 30_000);
});

test('the time in which nothing ran does not count, nor what a clock that ran ahead has written', () => {
  const day = 24 * 60 * minute;
  const timing = { at: 8 * day, now: 8 * day, startedAt: 8 * day - minute, giveUpAfter, holdFor: 30_000 };
  const failing = (since: number) => ({ ...first, tries: 2, failing_since: { unavailable: since } });
  expect(afterTry(failing(0), busy, timing)).toMatchObject({ state: 'pending' });
  expect(afterTry(failing(0), held, timing)).toMatchObject({ state: 'pending' });
  const over = { ...timing, startedAt: 8 * day - giveUpAfter };
  expect(afterTry(failing(0), busy, over)).toMatchObject({ state: 'failed' });
  const ahead = afterTry(failing(400 * day), busy, over);
  expect(ahead.failing_since.unavailable).toBe(8 * day);
  expect(ahead.next_attempt_at).toBeLessThan(8 * day + 2 * minute);
});

test('armed again, it has the whole time again, and its attempts are kept', () => {
  const { delivery } = live(() => no);
  const again = rearmed(delivery, 0);
  expect(again).toMatchObject({ state: 'pending', tries: 0, refusals: 0, failing_since: {}, attempts_made: 5, due: 0 });
  expect(live(() => done, again).delivery).toMatchObject({ state: 'delivered', attempts_made: 6 });
});

// RFC 9110, 10.2.3: how long to wait before making a follow-up request.
test('a host that asks to be left alone is called no sooner, and not after the delivery would have been given up', () => {
  const next = (asked: number | null) =>
    afterTry(first, { ...busy, asked }, { at: 0, now: 0, startedAt: 0, giveUpAfter, holdFor: 30_000 }).next_attempt_at;
  expect(next(30_000)).toBe(30_000);
  expect(next(24 * 60 * minute)).toBe(giveUpAfter);
  expect(next(null)).toBeLessThan(30_000);
});
