import { needsOf, type Overview, type Sender } from './needs';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const calm: Overview = {
  at: minutesAgo(0),
  dead_letters: { total: 0, events: 0, deliveries: 0 },
  deliveries: { pending: 3, stuck: { total: 0, since: null, hosts: [] } },
  events: {
    unfinished: { total: 1, since: minutesAgo(1) },
    waiting: 2,
    waiting_long: 0,
    verifying: 0,
    held: { total: 0, senders: [] },
  },
  shop: { connector: 'builtin', demonstration: true, problems: [] },
  money: { total: 0, findings: [] },
  webhooks_missed: 0,
  recovered: [],
  last_hour: null,
  last_day: { since: minutesAgo(1_440), late_payments: 0, mismatches: 0, signed_refused: { total: 0, latest: null } },
  warnings: [],
};

const sender = (changes: Partial<Sender>): Sender => ({
  name: 'gateway_card',
  title: 'Card gateway',
  inUse: true,
  last_event_at: minutesAgo(30),
  last_refusal: null,
  ...changes,
});
const refusedAt = (minutes: number) => ({
  at: minutesAgo(minutes),
  code: 'signature_mismatch',
  text: 'Another secret.',
});
const textsOf = (seen: Overview, senders: Sender[] = []) => needsOf(seen, senders, now).map(({ text }) => text);

test('work that goes on needs nobody', () => {
  expect(needsOf(calm, [sender({})], now)).toEqual([]);
});

test('what a service does not say is no trouble', () => {
  const silent = { ...calm, events: null, deliveries: null, shop: null, last_day: null };
  expect(needsOf({ ...silent, dead_letters: { total: null, events: null, deliveries: null } }, [], now)).toEqual([]);
});

test('each kind of trouble is one sentence, the most urgent first', () => {
  const seen: Overview = {
    ...calm,
    shop: { connector: 'woocommerce', demonstration: false, problems: ['WooCommerce answers 503.'] },
    webhooks_missed: 1,
    dead_letters: { total: 3, events: 1, deliveries: 2 },
    deliveries: {
      pending: 3,
      stuck: { total: 3, since: minutesAgo(20), hosts: [{ host: 'erp.example', total: 3, since: minutesAgo(20) }] },
    },
    events: {
      unfinished: { total: 4, since: minutesAgo(11) },
      waiting: 2,
      waiting_long: 2,
      verifying: 0,
      held: { total: 12, senders: [{ sender: 'generic/warehouse', total: 12 }] },
    },
    last_day: {
      since: minutesAgo(1_440),
      late_payments: 1,
      mismatches: 2,
      signed_refused: { total: 2, latest: 'The body is no JSON.' },
    },
    warnings: [
      { about: 'licence', ends_at: minutesAgo(-60), text: 'The licence ends.' },
      { about: 'intake', ends_at: null, text: 'Webhooks cannot be stored now: the disk is full.' },
    ],
  };
  expect(
    needsOf(seen, [], now).map(({ text, path, query = {} }) => [
      text,
      path,
      query.state ?? query.event_type ?? query.part,
    ]),
  ).toEqual([
    ['Webhooks cannot be stored now: the disk is full.', '/connections', undefined],
    ['The shop is unavailable: WooCommerce answers 503.', '/settings', 'shop'],
    ['1 webhook could not be stored. Ask the gateway to send what is missing again.', '/connections', undefined],
    ['1 event was given up after several tries.', '/events', 'dead'],
    ['4 events are not evaluated yet. The oldest arrived 11 minutes ago.', '/events', 'accepted'],
    ['2 events have waited for more than an hour for an order that the shop does not have.', '/events', 'waiting'],
    [
      'erp.example does not accept deliveries: 3 stuck deliveries, the oldest created 20 minutes ago.',
      '/deliveries',
      'pending',
    ],
    ['2 e-mails and calls could not be delivered.', '/deliveries', 'failed'],
    ['Warehouse is paused: 12 events held until you resume it.', '/connections', undefined],
    [
      '2 webhooks were refused in the last day although the signature was right: The body is no JSON.',
      '/log',
      'webhook_rejected',
    ],
    [
      '1 payment came in the last day for an order that does not await one. Give the money back, or reopen the order.',
      '/log',
      'late_payment',
    ],
    [
      '2 payments and refunds of the last day need a look: the amount or the order does not fit, or an action or the refund failed.',
      '/log',
      'process_completed,order_ambiguous,payment_partial,refund_failed',
    ],
    ['The licence ends.', '/settings', 'licence'],
  ]);
});

test.each([
  ['after its last event', { last_refusal: refusedAt(5) }, 1],
  ['that has brought no event yet', { last_event_at: null, last_refusal: refusedAt(5) }, 1],
  ['before its last event', { last_refusal: refusedAt(40) }, 0],
  ['long ago', { last_event_at: null, last_refusal: refusedAt(1_500) }, 0],
  ['that nobody uses', { inUse: false, last_refusal: refusedAt(5) }, 0],
] as const)('a sender refused %s', (_, changes, count) => {
  expect(textsOf(calm, [sender(changes)])).toHaveLength(count);
});

test('a paused sender has the name that people know', () => {
  const held = { total: 1, senders: [{ sender: 'gateway_card', total: 1 }] };
  const events = { ...(calm.events as NonNullable<Overview['events']>), held };
  expect(textsOf({ ...calm, events }, [sender({})])).toEqual([
    'Card gateway is paused: 1 event held until you resume it.',
  ]);
  // A viewer may not list the gateways.
  expect(textsOf({ ...calm, events })).toEqual(['The card gateway is paused: 1 event held until you resume it.']);
});
