import { BusError } from '@order-automation/bus';
import {
  type AuditEntry,
  accessOf,
  auditEntrySchema,
  awaitingPayment,
  ServiceError,
} from '@order-automation/contracts';
import { whyOf } from './why';
import { gatherSituation, type WhySituation } from './why-situation';

let id = 0;
const entry = (process_id: string, over: Partial<AuditEntry>): AuditEntry => {
  id += 1;
  return auditEntrySchema.parse({
    id,
    timestamp: new Date(Date.UTC(2026, 10, 23, 12, 0, id)).toISOString(),
    status: 'info',
    event_type: 'process_completed',
    source: 'webhook',
    summary: 'Something happened.',
    order_id: 42,
    process_id,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    parent_id: null,
    details: {},
    ...over,
  });
};
const ended = (process_id: string, outcome: string, type = 'payment.card.payment_intent_succeeded'): AuditEntry =>
  entry(process_id, { details: { outcome, event: { id: 'evt_1', type, gateway: 'gateway_card' } } });
const evaluated = (process_id: string, status: 'success' | 'error' | 'skipped', results: string[] = []): AuditEntry =>
  entry(process_id, {
    event_type: 'rule_evaluation',
    status,
    rule_id: 3,
    summary: 'Order 42: Rule "Finish" failed: unknown_component: condition loyalty.',
    details: {
      rule: { id: 3, name: 'Finish', version: 1 },
      conditions: results.map((result) => ({ id: 'x', label: 'Products', result, reason: 'Desk lamp is not virtual' })),
    },
  });

const situation = (entries: AuditEntry[], over: Partial<WhySituation> = {}): WhySituation => ({
  order_id: 42,
  order: { status: 'on-hold', date_created: '2026-11-23T10:00:00.000Z', isSettled: false },
  unread: null,
  entries,
  waiting: [],
  events: [],
  deliveries: [],
  refusals: { total: 0, latest: null, unproven: null },
  ...over,
});
const why = (...entries: AuditEntry[]) => whyOf(situation(entries));

test('of more rules than are read the outcome has the count', () => {
  const outcome = entry('a', { details: { ...ended('a', 'no_match').details, rules_evaluated: 253 } });
  expect(why(evaluated('a', 'skipped', ['fail']), outcome).sentence).toMatch(/252 other rules did not match either\.$/);
});

test('the rule that came nearest, with what it wanted', () => {
  expect(
    why(evaluated('a', 'skipped', ['fail']), evaluated('a', 'skipped', ['pass', 'fail']), ended('a', 'no_match')),
  ).toMatchObject({
    outcome: 'no_match',
    sentence: expect.stringMatching(
      /^Order 42 is still on hold because after "Payment succeeded" at 2026-11-23 12:00:\d\d UTC rule "Finish" did not match\. Products: Desk lamp is not virtual\. One other rule/,
    ),
    process_id: 'a',
  });
});

test('an order that the shop cannot show is explained from the log', () => {
  const unread = 'WooCommerce shows an order that is none: currency.';
  const { order_status, outcome, sentence } = whyOf(
    situation([evaluated('a', 'skipped', ['fail']), ended('a', 'no_match')], { order: null, unread }),
  );
  expect({ order_status, outcome }).toEqual({ order_status: null, outcome: 'no_match' });
  expect(sentence).toMatch(/^Order 42 was not moved because after .* rule "Finish" did not match\./);
  expect(sentence).toContain(`The order itself could not be read, so this is what the log says: ${unread}`);
});

test('an event that is tried again, until it ends', () => {
  const before = ended('b', 'no_match');
  const retry = entry('a', { event_type: 'retry_scheduled', status: 'pending', summary: 'The shop is away.' });
  expect(why(before, retry)).toMatchObject({
    outcome: 'retrying',
    sentence: expect.stringContaining('tried again: The shop is away.'),
  });
  expect(why(retry, evaluated('a', 'success'), ended('a', 'success')).outcome).toBe('done');
});

test('a dead letter, until its replay ends', () => {
  const details = { reason: 'The order cannot be read.', event: { id: 'evt_1', type: 'payment_completed' } };
  const dead = entry('a', { event_type: 'dead_lettered', status: 'error', details });
  expect(why(dead)).toMatchObject({
    outcome: 'dead_letter',
    sentence: expect.stringContaining('"payment completed" at'),
    advice: expect.stringContaining('replay'),
  });
  expect(why(dead, ended('b', 'no_rules')).outcome).toBe('no_rules');
});

test.each([
  ['stale', 'a later state was processed before it'],
  ['payment_repeated', 'this payment was seen before'],
  ['too_deep', 'the chain of rules was ended'],
  ['amount_mismatch', 'no rule that changes it was run'],
  ['other_payment', 'about a payment other than the order’s own'],
  ['payment_partial', 'only a part of it is paid'],
  ['order_ambiguous', 'nothing was run'],
  ['order_foreign', 'nothing was run'],
] as const)('%s', (outcome, text) => {
  expect(why(ended('a', outcome))).toMatchObject({ outcome, sentence: expect.stringContaining(text) });
});

/* "requires_action", "processing": docs.stripe.com/payments/paymentintents/lifecycle; a voucher or a direct debit takes days. */
test.each(['payment_created', 'payment_pending', 'payment_processing'])('%s: no rule is missing', (generic_type) => {
  const event = { id: 'evt_1', type: 'payment.card.checkout_session_completed', generic_type };
  const { sentence, advice } = why(entry('a', { details: { outcome: 'no_rules', event } }));
  expect(sentence).toMatch(
    /after "checkout session completed" at .* no rule was run: the payment has not completed yet/,
  );
  expect(advice).toMatch(/^Rules for paid orders run when the payment completes/);
});

/* "payment_intent.amount_capturable_updated": docs.stripe.com/api/events/types; `orders/updated`: shopify.dev/docs/api/webhooks. */
test.each([null, 'custom_event', 'order_created', 'order_updated'])(
  'an event that says nothing of a payment (%s): no rule is missing',
  (generic_type) => {
    const summary = 'x for order 42: there is no enabled rule whose trigger it fires.';
    const event = { id: 'evt_1', type: 'orders/updated', generic_type };
    const beside = entry('a', { summary, details: { outcome: 'no_rules', event } });
    const { sentence, advice } = why(beside);
    expect(sentence).toMatch(/after "orders\/updated" at .* no rule was run: it does not say that the order is paid/);
    expect(advice).toMatch(/^Rules for paid orders run when the payment completes\. If the customer has paid, check/);
    const order = { status: 'processing', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
    expect(whyOf(situation([beside], { order })).advice).toMatch(/^Enable a rule/);
  },
);

// docs/guide/shadow.md: a rule in shadow changes nothing. What ran before it is the answer.
test('a schedule of a rule in shadow is not the answer where a rule has run', () => {
  const due = (process_id: string, outcome: string, summary: string) =>
    entry(process_id, {
      summary,
      details: { outcome, event: { id: 's', type: 'schedule', generic_type: 'schedule' } },
    });
  const shadow = 'schedule for order 42: there is no enabled rule whose trigger it fires; the rule "S" is in shadow.';
  const ran = due('a', 'success', 'schedule for order 42: 1 rule evaluated, 1 matched, 1 of 1 action done.');
  expect(why(evaluated('a', 'success'), ran, due('b', 'no_rules', shadow))).toMatchObject({
    outcome: 'done',
    process_id: 'a',
  });
});

/* developer.paypal.com/docs/api/payments/v2, capture `status_details.reason` */
test('names the code that the gateway gives as its reason', () => {
  const event = { id: 'e', type: 'payment.wallet.payment_pending', generic_type: 'payment_pending', reason: 'ECHECK' };
  const pending = entry('a', { details: { outcome: 'no_rules', event } });
  expect(why(pending).sentence).toMatch(/after "Payment pending" \(ECHECK\) at .* the payment has not completed yet/);
});

test('what the log says of an order is not said twice', () => {
  const mismatch = { expected: '89.90 EUR', actual: '8.90 EUR' };
  const amounts = entry('a', { details: { outcome: 'amount_mismatch', amount_mismatch: mismatch } });
  expect(why(amounts).sentence).toMatch(
    /no rule that changes it was run: the order amounts to 89\.90 EUR, and the event says 8\.90 EUR\.$/,
  );
  const summary =
    'payment.card.payment_intent_succeeded for order 42: there is no enabled rule whose trigger it fires.';
  const none = entry('a', { summary, details: { outcome: 'no_rules' } });
  expect(why(none).sentence).toMatch(/no rule was evaluated: there is no enabled rule whose trigger it fires\.$/);
});

test('an event type of a sender of its own is to be given a meaning; no rule can listen to it otherwise', () => {
  const summary =
    'paid for order 42: there is no enabled rule whose trigger it fires; "paid" is a type of the sender’s own: say so.';
  const { advice } = why(entry('a', { summary, details: { outcome: 'no_rules' } }));
  expect(advice).toMatch(/^Set what its event type means/);
});

test('a payment that came late, a refund that failed: the warning is the answer, once', () => {
  const warning = (event_type: 'late_payment' | 'refund_failed') =>
    entry('a', { event_type, status: 'warning', summary: 'Order 42: please check it.' });
  expect(why(warning('late_payment'), ended('a', 'no_rules'))).toMatchObject({
    outcome: 'late_payment',
    sentence: 'Order 42: please check it.',
    advice: null,
  });
  expect(why(warning('refund_failed'), ended('a', 'no_rules')).sentence).toBe('Order 42: please check it.');
  expect(why(warning('refund_failed'), evaluated('a', 'success'), ended('a', 'success')).outcome).toBe('done');
});

test('a payment that came late stays the answer after an event that no rule listens to', () => {
  const order = { status: 'packing', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const late = entry('a', { event_type: 'late_payment', status: 'warning', summary: 'Order 42: please check it.' });
  const event = { id: 'evt_2', type: 'parcel.shipped', generic_type: 'custom_event' };
  const summary =
    'parcel.shipped for order 42: there is no enabled rule whose trigger it fires; it is a type of its own.';
  const shipped = entry('b', { summary, details: { outcome: 'no_rules', event } });
  expect(whyOf(situation([late, ended('a', 'no_match'), shipped], { order }))).toMatchObject({
    outcome: 'late_payment',
    process_id: 'a',
    sentence: expect.stringMatching(
      /^Order 42: please check it\. Later came "parcel\.shipped" at .*: there is no enabled/,
    ),
  });
});

test('an event that is held names the connection that has to be resumed', () => {
  const event = { event_type: 'payment_completed', received_at: '2026-11-23T12:00:00.000Z', process_id: 'p' };
  const held = { ...event, state: 'held', gateway: 'generic', connection: 'warehouse', reason: null };
  expect(whyOf(situation([], { events: [held as never] }))).toMatchObject({
    sentence: expect.stringContaining(': "payment completed" from warehouse, received at '),
    advice: 'Resume warehouse: it goes on then.',
  });
});

test('an event that waits for the order is said once', () => {
  const summary =
    'payment.card.payment_intent_succeeded: waiting for order 42, which the shop does not have yet. The event is evaluated when the order appears.';
  const waiting = [entry('w', { event_type: 'event_waiting', status: 'pending', summary, order_id: null })];
  expect(whyOf(situation([], { order: null, waiting })).sentence).toMatch(
    /^The shop has no order 42: an event has waited for it since 2026-11-23 .* UTC\. The event is evaluated when the order appears\.$/,
  );
});

test('names who has set the status, where no rule did', () => {
  const order = { status: 'cancelled', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const changed = (author: string, status: string, process = 'p') =>
    entry(process, {
      event_type: 'order_status_changed',
      details: { author, order: { id: 42, before: { status: 'completed' }, after: { status } } },
    });
  const paid = [evaluated('a', 'success'), ended('a', 'success')];
  const sentenceOf = (...entries: AuditEntry[]) => whyOf(situation([...paid, ...entries], { order })).sentence;
  expect(sentenceOf(changed('admin', 'cancelled'))).toMatch(
    /^Order 42 is cancelled: after "Payment succeeded" at .* ran\. .* admin set it to cancelled at 2026-11-23 .* UTC\.$/,
  );
  expect(sentenceOf(changed('WooCommerce', 'cancelled'))).toContain(' WooCommerce set it to cancelled at ');
  expect(sentenceOf(changed('admin', 'on-hold'))).not.toContain('admin');
  expect(sentenceOf(changed('automation', 'cancelled'))).not.toContain('set it to');
  expect(sentenceOf(changed('admin', 'cancelled'), changed('automation', 'refunded'))).not.toContain('admin');
  expect(sentenceOf(changed('admin', 'cancelled', 'a'))).toContain(' admin set it to cancelled at ');
  const unnamed = whyOf(situation([changed('admin', 'on-hold')])).sentence;
  expect(unnamed).toMatch(/^Order 42 is still on hold because no event has named it: .* admin set it to on hold at /);
});

describe('rules that set each other off', () => {
  const outcome = (process: string, type: string, more: object) =>
    entry(process, { details: { outcome: 'success', event: { type, generic_type: type }, ...more } });
  const held = [
    evaluated('d', 'success'),
    outcome('d', 'dispute_opened', { order_status: { to: 'on-hold', by: 'Finish' } }),
    outcome('d', 'order_status_on-hold', { chain: [3] }),
  ];

  test('the event that began it is named, not the change in its course', () =>
    expect(why(...held).sentence).toMatch(/^Order 42 is on hold: after "dispute opened" at /));

  test.each(['other_payment', 'no_rules'])('what set the status stays the answer after %s', (later) => {
    const paid = [evaluated('p', 'success'), outcome('p', 'payment_completed', { order_status: { to: 'completed' } })];
    const { sentence } = why(...paid, ...held, ended('f', later));
    expect(sentence).toMatch(/: after "dispute opened" at .* ran\. .* Later came "Payment succeeded" at /);
  });

  test('an amount that disagrees is the answer while the order awaits its payment', () =>
    expect(why(...held, ended('m', 'amount_mismatch')).outcome).toBe('amount_mismatch'));
});

test('a rule that stopped those after it is named', () => {
  const matched = evaluated('a', 'success');
  const stopping = { ...matched, details: { ...matched.details, stop_processing: true } };
  expect(why(stopping, ended('a', 'success')).sentence).toMatch(/ Rule "Finish" stopped the rules after it\.$/);
  expect(why(matched, ended('a', 'success')).sentence).not.toContain('stopped');
});

/* `Canceled_Reversal`, developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables */
test('an event that says that money is back after a reversal is named', () => {
  const order = { status: 'completed', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const moved = entry('paid', {
    details: { outcome: 'success', event: { type: 'x' }, order_status: { to: 'completed' } },
  });
  const summary = 'x for order 42: there is no enabled rule whose trigger it fires.';
  const event = { type: 'payment.wallet.canceled_reversal', generic_type: null };
  const back = entry('back', { summary, details: { outcome: 'no_rules', event } });
  const all = [evaluated('paid', 'success'), moved, evaluated('b', 'success'), ended('b', 'success'), back];
  expect(whyOf(situation(all, { order })).sentence).toMatch(/ Later came "canceled reversal" at /);
});

test('a status that a person set is not said to come from the shop', () => {
  const order = { status: 'completed', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const set = { event_type: 'order_status_changed', details: { author: 'admin' } } as const;
  const sentenceOf = (source: 'manual' | 'automation') =>
    whyOf(situation([entry('s', { ...set, source })], { order })).sentence;
  expect(sentenceOf('manual')).toMatch(
    /^Order 42 is completed: admin set this status at .*, and no event has named it/,
  );
  expect(sentenceOf('automation')).toMatch(/it came to this status in the shop itself/);
});

test('what only repeats a payment does not hide why the payment did nothing; what is late does not hide what rules did', () => {
  expect(why(ended('a', 'no_match'), ended('b', 'payment_repeated')).outcome).toBe('no_match');
  expect(why(ended('a', 'no_match'), ended('b', 'order_foreign')).outcome).toBe('no_match');
  expect(why(ended('a', 'no_match'), ended('b', 'stale')).outcome).toBe('stale');
  expect(why(evaluated('a', 'success'), ended('a', 'success'), ended('b', 'stale')).outcome).toBe('done');
  // A failed attempt that is replayed does not hide that only a part is paid, or that the amount does not fit (docs/guide/why.md).
  expect(why(ended('a', 'payment_partial'), ended('b', 'stale')).outcome).toBe('payment_partial');
  expect(why(ended('a', 'amount_mismatch'), ended('b', 'stale')).outcome).toBe('amount_mismatch');
});

test('what a rule changed, and no rule did anything about, does not hide what the rule did', () => {
  const echo = entry('a', {
    details: { outcome: 'no_rules', chain: [3], event: { id: 'chg_1', type: 'order_status_completed' } },
  });
  expect(why(evaluated('a', 'success'), ended('a', 'success'), echo).outcome).toBe('done');
  expect(why(evaluated('a', 'success'), ended('a', 'success'), ended('b', 'no_rules')).outcome).toBe('no_rules');
});

test('what set the status is the answer; an event that no rule listens to comes after it', () => {
  const details = {
    outcome: 'success',
    order_status: { to: 'on-hold', by: 'Finish' },
    event: { id: 'evt_1', type: 'x' },
  };
  const moved = [evaluated('a', 'success'), entry('a', { details })];
  const later = { outcome: 'no_rules', event: { id: 'evt_2', type: 'payment.wallet.payment_refund_failed' } };
  const none = entry('b', {
    summary: 'x for order 42: there is no enabled rule whose trigger it fires.',
    details: later,
  });
  const failed = entry('b', { event_type: 'refund_failed', summary: 'Order 42: a refund has failed.' });
  expect(why(...moved, none)).toMatchObject({ outcome: 'done', advice: null });
  const saidOf = (...last: AuditEntry[]) => why(...moved, ...last).sentence.replace(/.*Later came/, '');
  expect(saidOf(none)).toMatch(/^ "payment refund failed" at .*: there is no enabled rule whose trigger it fires\.$/);
  expect(saidOf(failed, none)).toMatch(/: a refund has failed\.$/);
});

test('one event of a body that no rule listens to does not hide what another has led to', () => {
  expect(
    why(evaluated('a', 'success'), ended('a', 'success'), ended('a', 'no_rules', 'payments.paid_out')).outcome,
  ).toBe('done');
});

test('what came too late comes after what set the status', () => {
  const details = {
    outcome: 'success',
    order_status: { to: 'on-hold', by: 'Finish' },
    event: { id: 'evt_1', type: 'x' },
  };
  const moved = [evaluated('a', 'success'), entry('a', { details })];
  expect(why(...moved, ended('b', 'no_rules'), ended('c', 'stale'))).toMatchObject({
    outcome: 'done',
    sentence: expect.stringMatching(/rule "Finish" ran\. .* Later came "Payment succeeded" at/),
  });
});

test('an amount that cannot be read', () => {
  const amount_mismatch = { kind: 'amount_unreadable', expected: '49.00 USD', actual: 'The amount "49,00" is none.' };
  const unreadable = entry('a', { details: { outcome: 'amount_mismatch', amount_mismatch } });
  expect(why(unreadable).sentence).toMatch(
    /: the order amounts to 49\.00 USD, and the event's amount cannot be read\. The amount "49,00" is none\.$/,
  );
});

test('an action that failed, and a rule that could not be evaluated', () => {
  const failed = entry('a', {
    event_type: 'action_failed',
    status: 'error',
    summary: 'Order 42: the shop refused it.',
  });
  expect(why(evaluated('a', 'success'), failed, ended('a', 'error'))).toMatchObject({
    outcome: 'action_failed',
    sentence: expect.stringContaining('the shop refused it'),
  });
  expect(why(evaluated('a', 'error'), ended('a', 'error'))).toMatchObject({
    outcome: 'rule_failed',
    sentence: expect.stringContaining('unknown_component'),
  });
});

test('debugging may ask nothing that changes anything', () => {
  const { requests, publishes, subscribes } = accessOf('pro-debug');
  const reads = /\.(get|list|records|facts|versions|active-versions|scan|draft|simulate|judge)\.v\d+$/;
  expect(requests.filter((type) => !reads.test(type))).toEqual([]);
  expect([...publishes, ...subscribes]).toEqual([]);
});

describe('an order that no event has named', () => {
  const refusal = (process_id: string, details: Record<string, unknown>) =>
    entry(process_id, { event_type: 'webhook_rejected', summary: `${process_id} was refused.`, details });
  /** The newest first, as the log answers. */
  const of = async (
    status: string,
    refused: readonly AuditEntry[],
    awaiting = awaitingPayment,
    secrets: Readonly<Record<string, readonly { last_used_at: string | null }[]>> = {},
    events: readonly object[] = [],
  ) => {
    const order = { status, number: 'SO-7', date_created: '2026-11-23T10:00:00.000Z' };
    const none = { found: [], total: 0 };
    const log = {
      entries: async ({ event_type }: { event_type?: readonly string[] }) =>
        event_type?.includes('webhook_rejected') ? { found: refused, total: refused.length } : none,
      events: async ({ state }: { state: string }) => (state === 'refused' ? events : []),
      deliveries: async () => [],
      secrets: async (sender: string) => secrets[sender] ?? [],
    };
    const orders = { get: async () => ({ order }) };
    return whyOf(await gatherSituation(42, { log, orders, awaiting } as never));
  };

  test.each([new ServiceError(502, 'svc_shop_failed', 'The order has no currency.'), new BusError('timeout', 'late')])(
    'the shop cannot show it: %s',
    async (error) => {
      const none = { found: [], total: 0 };
      const log = { entries: async () => none, deliveries: async () => [], events: async () => [] };
      const orders = { get: () => Promise.reject(error) };
      const text = error instanceof BusError ? 'The shop did not answer.' : 'The order has no currency.';
      expect(whyOf(await gatherSituation(42, { log, orders, awaiting: awaitingPayment } as never))).toMatchObject({
        outcome: 'no_event',
        sentence: expect.stringMatching(`^Order 42 was not moved because no event has named it.* log says: ${text}$`),
      });
    },
  );

  const stranger = refusal('stranger', { reason: 'signature_mismatch' });
  const sender = refusal('sender', { reason: 'secret_expired', known_sender: true });

  test('is settled in the shop, whatever was refused meanwhile', async () => {
    expect(await of('completed', [sender])).toMatchObject({
      outcome: 'no_event',
      sentence: expect.stringMatching(/^Order 42 is completed: it came to this status in the shop itself/),
    });
  });

  test('is not explained by strangers who were refused, but by a sender that was; strangers are not counted', async () => {
    expect((await of('pending', [stranger, refusal('other', { reason: 'signature_missing' })])).outcome).toBe(
      'no_event',
    );
    expect(await of('pending', [stranger, sender, stranger])).toMatchObject({
      outcome: 'refused',
      process_id: 'sender',
      sentence: expect.stringContaining('1 webhook was refused. The last: sender was refused.'),
    });
  });

  test('is not explained by the refusal of an event that names another order', async () => {
    const refused = (named_order: string | null) => {
      const event = { event_type: 'payment.card.payment_intent_succeeded', received_at: '2026-11-23T12:00:00.000Z' };
      return {
        ...event,
        state: 'refused',
        process_id: 'sender',
        gateway: 'gateway_card',
        reason: 'Test.',
        named_order,
      };
    };
    const answerFor = async (named: string | null) =>
      (await of('pending', [sender], awaitingPayment, {}, [refused(named)])).sentence;
    expect(await answerFor('77')).toContain('because no event has named it: no webhook of a gateway');
    expect(await answerFor('42')).toContain('"Payment succeeded" from the card gateway, received at');
    expect(await answerFor('SO-7')).toContain('"Payment succeeded" from the card gateway, received at');
    expect(await answerFor('WC-42')).toContain('1 webhook was refused. The last: sender was refused.');
    expect(await answerFor(null)).toContain('1 webhook was refused. The last: sender was refused.');
  });

  const wrong = (process_id: string, gateway: string, connection: string | null = null) =>
    refusal(process_id, { reason: 'signature_mismatch', gateway, connection });
  const unused = { last_used_at: null };

  test('is explained by wrong signatures of a configured sender that has never proved itself', async () => {
    const refused = [wrong('a', 'gateway_card'), wrong('b', 'gateway_card'), stranger];
    expect(await of('pending', refused, awaitingPayment, { gateway_card: [unused, unused] })).toMatchObject({
      outcome: 'refused',
      process_id: 'a',
      sentence: expect.stringMatching(
        /2 webhooks were refused\. The last: a was refused\. No secret of gateway_card has ever proved a webhook/,
      ),
      advice: expect.stringContaining('“New secret” of the card gateway'),
    });
    const ofConnection = await of('pending', [wrong('c', 'generic', 'erp')], awaitingPayment, { erp: [unused] });
    expect(ofConnection).toMatchObject({ outcome: 'refused', advice: expect.stringContaining('“New secret” of erp') });
  });

  test.each<[string, readonly { last_used_at: string | null }[]]>([
    ['has proved itself with one of its secrets', [unused, { last_used_at: '2026-11-01T00:00:00.000Z' }]],
    ['has no secret', []],
  ])('is not explained by wrong signatures of a sender that %s', async (_what, secrets) => {
    const refused = [wrong('a', 'gateway_card')];
    const answer = await of('pending', refused, awaitingPayment, { gateway_card: secrets });
    expect(answer.outcome).toBe('no_event');
  });

  test('awaits its payment in the statuses that the shop says', async () => {
    expect((await of('quote', [sender])).outcome).toBe('no_event');
    expect((await of('quote', [sender], [...awaitingPayment, 'quote'])).outcome).toBe('refused');
  });
});

describe('what set the status, and events after it that left it as it was', () => {
  const moved = entry('paid', {
    details: {
      outcome: 'success',
      event: { type: 'payment.card.payment_intent_succeeded' },
      order_status: { from: 'pending', to: 'on-hold', by: 'Hold' },
    },
  });
  const change = entry('paid', {
    event_type: 'action_executed',
    details: { changes: [{ field: 'status', from: 'pending', to: 'on-hold' }] },
  });

  test.each([
    ['success', 'success'],
    ['no_match', 'skipped'],
  ] as const)('%s', (outcome, status) => {
    const refund = ended('refund', outcome, 'payment.card.charge_refunded');
    const answer = why(evaluated('paid', 'success'), change, moved, evaluated('refund', status, ['fail']), refund);
    expect(answer).toMatchObject({ outcome: 'done', process_id: 'paid' });
    expect(answer.sentence).toMatch(
      /^Order 42 is on hold: after .* ran\. It went from pending to on hold\. Later came /,
    );
  });

  test('an event that moved the order to where it stands is the answer itself', () => {
    const again = { ...moved, id: moved.id + 900, process_id: 'again' };
    expect(why(evaluated('paid', 'success'), moved, evaluated('again', 'success'), again).process_id).toBe('again');
  });
});

describe('a payment of the whole order, and an event of another amount after it', () => {
  const payment = (outcome: string, over = {}) => {
    const event = { id: 'evt_1', type: 'payment.card.payment_intent_succeeded', generic_type: 'payment_completed' };
    return entry('paid', { details: { outcome, event, ...over } });
  };
  const summary = 'payment.card.charge_succeeded for order 42: another amount.';
  const later = (outcome: string) => {
    const details = {
      outcome,
      event: { id: 'evt_2', type: 'payment.card.charge_succeeded', generic_type: 'payment_completed' },
    };
    return entry('later', { summary, details });
  };

  test.each(['amount_mismatch', 'payment_partial', 'other_payment'])('%s', (outcome) => {
    const answer = why(evaluated('paid', 'skipped', ['fail']), payment('no_match'), later(outcome));
    expect(answer).toMatchObject({ outcome: 'no_match', process_id: 'paid' });
    expect(answer.sentence).toMatch(
      /rule "Finish" did not match\. Products: Desk lamp is not virtual\. Later came "[^"]+" at 2026-11-23 12:\d\d:\d\d UTC: another amount\.$/,
    );
  });

  test('a part that was paid before is no payment of the whole order', () => {
    const partial_payment = { received: '1.00', total: '49.00', currency: 'EUR' };
    const before = payment('no_match', { partial_payment });
    expect(why(before, later('amount_mismatch'))).toMatchObject({ outcome: 'amount_mismatch', process_id: 'later' });
  });
});

// "charge.updated: Occurs whenever a charge description or metadata is updated, or upon an asynchronous capture", docs.stripe.com/api/charges
describe('what means nothing to any rule', () => {
  const plain = 'x for order 42: there is no enabled rule whose trigger it fires.';
  const updated = (generic_type: string | null, summary = plain) =>
    entry('b', {
      summary,
      details: { outcome: 'no_rules', event: { id: 'e', type: 'payment.card.charge_updated', generic_type } },
    });
  const outcomeOf = (...entries: AuditEntry[]) => why(...entries).outcome;

  test('does not hide why the payment did nothing', () => {
    expect(outcomeOf(ended('a', 'amount_mismatch'), updated(null))).toBe('amount_mismatch');
    expect(outcomeOf(ended('a', 'payment_partial'), updated(null))).toBe('payment_partial');
    expect(outcomeOf(ended('a', 'no_match'), updated(null))).toBe('no_match');
    // `CAPTURE` of a preset that leaves it out.
    expect(outcomeOf(ended('a', 'no_match'), updated('custom_event'))).toBe('no_match');
  });
  test('is the answer where there is nothing else, where it is a payment, and where it says more', () => {
    expect(outcomeOf(updated(null))).toBe('no_rules');
    expect(outcomeOf(ended('a', 'no_match'), updated('payment_completed'))).toBe('no_rules');
    expect(outcomeOf(ended('a', 'no_match'), updated(null, plain.replace('.', '; it pays no order.')))).toBe(
      'no_rules',
    );
  });
});

/* WooCommerce sends "Order updated" after every change of an order, those that a rule made among them (woocommerce.com/document/webhooks). */
describe('a webhook of the shop that no rule listens to', () => {
  const order = { status: 'completed', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const unheard =
    'no enabled rule listens to this webhook itself; what has changed in the order fires its rules without it';
  const hint = (name = 'order_completed') => {
    const type = `payment.shop.${name}`;
    // An entry of before says another thing, and names the rule for new orders.
    const before =
      'there is no enabled rule whose trigger it fires; the rule "New" does not fire: it fires on new orders';
    const summary = `${type} for order 42: ${name === 'order_created' ? before : unheard}.`;
    const event = { id: 'evt_9', type, generic_type: name, gateway: 'gateway_shop' };
    return entry('hint', { summary, details: { outcome: 'no_rules', event } });
  };
  const late = entry('b', { event_type: 'late_payment', status: 'warning', summary: 'Order 42: paid twice?' });

  test('does not hide a payment that came late, nor what rules did', () => {
    expect(whyOf(situation([late, ended('b', 'no_rules'), hint('order_created'), hint()], { order })).sentence).toBe(
      'Order 42: paid twice?',
    );
    const { outcome, sentence } = whyOf(
      situation([evaluated('a', 'success'), ended('a', 'success'), hint()], { order }),
    );
    expect(outcome).toBe('done');
    expect(sentence).not.toContain('Later came');
  });

  test('is no event that names the order: a webhook of the gateway that was refused is the answer', () => {
    const latest = entry('r', { event_type: 'webhook_rejected', summary: 'The signature is wrong.' });
    const refusals = { total: 1, latest, unproven: null };
    expect(whyOf(situation([hint('order_updated')], { refusals })).sentence).toMatch(
      /no event has named it; since it was created, 1 webhook was refused\. The last: The signature is wrong\.$/,
    );
    expect(whyOf(situation([hint('order_updated')])).advice).toMatch(
      /^Check whether the gateway sends its webhooks here/,
    );
    expect(whyOf(situation([hint()], { order })).sentence).toMatch(/it came to this status in the shop itself/);
  });
});

/*
 * What comes with a payment and moves nothing: "RECURRING_CONTRACT", "CAPTURE" (docs.adyen.com/development-resources/webhooks/webhook-types), "payments paid_out"
 * (developer.gocardless.com/api-reference/#event-types), `customer.subscription.created` (docs.stripe.com/billing/subscriptions/webhooks).
 */
describe('an event that no rule listens to, after a payment of an order that awaits it', () => {
  const payment = (outcome: string, generic_type = 'payment_completed') =>
    entry('paid', {
      summary: 'payment_completed for order 42: 39.00 of 49.00 USD is paid.',
      details: { outcome, event: { id: 'evt_1', type: 'payment_completed', generic_type } },
    });
  const later = (type: string, generic_type: string) => {
    const summary = `${type} for order 42: there is no enabled rule whose trigger it fires; "${type}" is a type of the sender’s own.`;
    return entry('later', { summary, details: { outcome: 'no_rules', event: { id: 'evt_2', type, generic_type } } });
  };

  test.each([
    ['payment_partial', 'CAPTURE', 'custom_event'],
    ['amount_mismatch', 'RECURRING_CONTRACT', 'custom_event'],
    ['no_match', 'payments.paid_out', 'custom_event'],
    ['amount_mismatch', 'payment.card.customer_subscription_created', 'subscription_created'],
  ])('%s, then %s', (outcome, type, generic_type) => {
    const answer = why(payment(outcome), later(type, generic_type));
    expect(answer).toMatchObject({ outcome, process_id: 'paid' });
    expect(answer.sentence).toMatch(/^Order 42 is still on hold because after "payment completed" .* Later came "/);
  });

  test('a payment that is still to come', () => {
    const { sentence } = why(payment('no_rules', 'payment_pending'), later('transaction.updated', 'custom_event'));
    expect(sentence).toMatch(/the payment has not completed yet.* Later came "transaction\.updated" at /);
  });

  test('is the answer after a refund, and of an order that awaits no payment', () => {
    const refunded = payment('no_rules', 'payment_refunded');
    expect(why(refunded, later('CAPTURE', 'custom_event')).process_id).toBe('later');
    const order = { status: 'cancelled', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
    const entries = [payment('amount_mismatch'), later('CAPTURE', 'custom_event')];
    expect(whyOf(situation(entries, { order })).process_id).toBe('later');
  });
});

test('a part of the order is paid: also where a rule on the webhook ran', () => {
  const summary = 'Order 42: 20.00 of 49.00 USD is paid. Rules for paid orders run when the rest has come.';
  const part = entry('a', { event_type: 'payment_partial', summary });
  expect(why(evaluated('a', 'success'), part, ended('a', 'success')).sentence).toMatch(
    / rule "Finish" ran\. Its status was not changed\. 20\.00 of 49\.00 USD is paid\. Rules for paid orders run when the rest has come\.$/,
  );
});

// "purchase_units[].payments.captures", developer.paypal.com/docs/api/orders/v2
test('a webhook that brings a part and then the rest: nothing is said of the part', () => {
  const summary = 'Order 42: 20.00 of 49.00 USD is paid. Rules for paid orders run when the rest has come.';
  const part = entry('a', { event_type: 'payment_partial', summary });
  const event = { id: 'evt_2', type: 'payment.wallet.express_checkout_completed', generic_type: 'payment_completed' };
  const rest = entry('a', { details: { outcome: 'success', event } });
  expect(why(part, evaluated('a', 'success'), rest).sentence).toMatch(
    / rule "Finish" ran\. Its status was not changed\.$/,
  );
});

// An expired checkout beside the one that paid, whose intent came after it: docs.stripe.com/api/checkout/sessions/expire
test('an event about another payment, after a second report of the payment: the first report is the answer', () => {
  const event = { id: 'evt_1', type: 'payment.card.checkout_session_completed', generic_type: 'payment_completed' };
  const first = entry('a', { details: { outcome: 'success', event, order_status: { to: 'completed', by: 'Finish' } } });
  const repeats = { event_type: event.type };
  const again = entry('b', { details: { outcome: 'no_rules', event: { ...event, id: 'evt_2' }, repeats } });
  const order = { status: 'completed', date_created: '2026-11-23T10:00:00.000Z', isSettled: true };
  const entries = [evaluated('a', 'success'), first, again, ended('c', 'other_payment')];
  const { process_id, sentence } = whyOf(situation(entries, { order }));
  expect(process_id).toBe('a');
  expect(sentence).toMatch(/^Order 42 is completed: after "checkout session completed" at .* rule "Finish" ran\./);
});

test('a second payment of an order that the first has moved: the warning is said', () => {
  const details = { outcome: 'success', order_status: { to: 'on-hold', by: 'Finish' }, event: { id: 'e', type: 'x' } };
  const late = entry('b', { event_type: 'late_payment', status: 'warning', summary: 'Order 42: please check it.' });
  const { sentence } = why(evaluated('a', 'success'), entry('a', { details }), late, ended('b', 'no_rules'));
  expect(sentence).toMatch(/Later came "Payment succeeded" at .* UTC: please check it\.$/);
});

test.each([
  ['checkout-draft', 'Order 42 is still a draft because no event has named it'],
  ['trash', 'Order 42 is still in the trash because no event has named it'],
])('an order that is %s', (status, words) => {
  const order = { status, date_created: '2026-11-23T10:00:00.000Z', isSettled: false };
  expect(whyOf(situation([], { order })).sentence).toContain(words);
});
