import { type NewAuditEntry, newAuditEntrySchema, type OrderReference } from '@order-automation/contracts';
import { buildEvent } from '@order-automation/testing';
import { eventDone } from '../attempts/finish';
import { type EvaluationDocument, newDocument, type RuleStep } from '../evaluation-document';
import { occurrenceOfEvent } from '../history/occurrence';
import { taskOfEvent } from '../task';
import { entriesOf, waitingEntry } from './entries';

const at = '2026-01-02T03:04:05.000Z';

function step(id: number, over: Partial<RuleStep> = {}): RuleStep {
  const condition = {
    id: 'order_total',
    label: 'Order total',
    result: 'fail' as const,
    expected: `more than ${id}00.00`,
    actual: '49.00',
    reason: 'too small',
  };
  return {
    key: `occurrence:${id}`,
    revision: null,
    rule_id: id,
    rule_name: `Rule ${id}`,
    rule_version: 1,
    matched: false,
    failed: false,
    reason: `Rule "Rule ${id}" did not match: order total is 49.00, the rule needs more than ${id}00.00.`,
    conditions: [condition],
    actions: [],
    stop: false,
    at,
    ...over,
  };
}

const webhook = { connection: null, body_bytes: 2, metadata: {} };
const received = (over: Parameters<typeof buildEvent>[0] = {}) =>
  taskOfEvent({ event: buildEvent({ id: 'evt_1', receivedAt: at, ...over }), process_id: 'proc_1', webhook });

function documentWith(steps: RuleStep[], over: Parameters<typeof buildEvent>[0] = {}): EvaluationDocument {
  return { ...newDocument(received(over)), order_id: 42, found_by: 'order_id', steps, outcome: 'no_match' };
}

const all = (document: EvaluationDocument) =>
  entriesOf(document, Date.parse(at)).map((entry) => newAuditEntrySchema.parse(entry));

/** Without those about the reception. */
const entries = (...steps: RuleStep[]) => all(documentWith(steps)).slice(2);

const noteAction = {
  index: 1,
  kind: 'secondary' as const,
  id: 'add_order_note',
  label: 'Add order note',
  key: 'k',
  effect: { kind: 'order' as const, command: { kind: 'add_note' as const, note: 'x', customer_note: false } },
  message: 'add a note',
};

describe('entriesOf', () => {
  test('the log keeps no name of a customer that a rule writes on the order (decisions.md section 7)', () => {
    const result = {
      status: 'applied' as const,
      by: 'proc_1',
      message: 'The field "who" was set to "Ada (A.) Byron, 42".',
      changes: [{ field: 'meta_data.who', from: null, to: 'Ada (A.) Byron, 42' }],
    };
    const action = { ...noteAction, result, personal: ['Ada (A.) Byron', '42', 'wa'] };
    const [, entry] = entries(step(1, { matched: true, actions: [action] }));
    expect(entry).toMatchObject({
      summary: 'Order 42: Add order note (rule "Rule 1"): The field "who" was set to "A***, 4***".',
      details: { changes: [{ field: 'meta_data.who', from: null, to: 'A***, 4***' }] },
    });
  });

  it('gives the one rule that did not match an entry of its own', () => {
    const [entry] = entries(step(7));
    expect(entry).toMatchObject({ event_type: 'rule_evaluation', status: 'skipped', rule_id: 7 });
    expect(entry?.summary).toContain('needs more than 700.00');
  });

  it('says of a rule that it stopped those after it', () => {
    const summaryOf = (stop: boolean) => entries(step(7, { matched: true, reason: 'It matched.', stop }))[0]?.summary;
    expect([summaryOf(true), summaryOf(false)]).toEqual([
      'Order 42: It matched. It stopped the rules after it.',
      'Order 42: It matched.',
    ]);
  });

  it('cuts a reason that is longer than a summary may be', () => {
    const [entry] = entries(step(7, { reason: 'x'.repeat(3000) }));
    expect(entry?.summary).toHaveLength(2000);
  });

  it('has one entry for each evaluated rule, with its rule and its order', () => {
    const each = entries(step(1), step(2, { matched: true, conditions: [] }), step(3), step(4, { failed: true }));
    expect(each.map(({ rule_id, order_id, status }) => [rule_id, order_id, status])).toEqual([
      [1, 42, 'skipped'],
      [2, 42, 'success'],
      [3, 42, 'skipped'],
      [4, 42, 'error'],
      [null, 42, 'info'],
    ]);
  });

  it.each([
    ['cancelled', 'the order is cancelled, and'],
    ['trash', 'the order is in the trash, and'],
  ])('says where an order is that is paid too late: %s', (late, text) => {
    const last = entriesOf({ ...documentWith([]), late, outcome: 'no_rules' }, Date.parse(at)).at(-1);
    expect(last?.summary).toContain(text);
  });

  // docs.stripe.com/error-codes; docs.adyen.com/development-resources/webhooks/webhook-types, `reason`: "027127:0013:03/2030" has digits of a card
  it.each([
    ['card_declined', 'card_declined'],
    ['027127:0013:03/2030', undefined],
    ['Ms Ada Example has changed her mind', undefined],
    [null, undefined],
  ])('has the code that a gateway gives as its reason, and no text: %s', (reason, code) => {
    const { event } = (all(documentWith([], { reason })).at(-1)?.details ?? {}) as { event?: { reason?: string } };
    expect(event?.reason).toBe(code);
  });

  it('says of a payment that the shop had moved the order before', () => {
    const document = { ...documentWith([]), moved_before: true as const, outcome: 'no_rules' as const };
    const entries = entriesOf(document, Date.parse(at));
    expect(entries.at(-1)?.summary).toContain(
      'the shop had moved the order to processing before, and rules for that have run',
    );
    expect(entries.map(({ event_type }) => event_type)).not.toContain('late_payment');
  });

  // What senders call a payment: `{"status": "paid"}`; section 6.3 of the specification passes such a type unchanged.
  it('says of a type of the sender’s own where it is mapped', () => {
    const sent = { eventType: 'paid', genericType: 'custom_event', sourceGateway: 'generic' } as const;
    const opened = { ...documentWith([], sent), occurrence: occurrenceOfEvent(buildEvent(sent), 42) };
    const last = (of: typeof opened) => entriesOf({ ...of, outcome: 'no_rules' }, Date.parse(at)).at(-1)?.summary;
    expect(last(opened)).toMatch(
      /; "paid" is a type of the sender’s own: .* with the “Event types” of the connection \(guide "Connect a gateway"\)\.$/,
    );
    expect(last(opened)).not.toContain('it is a custom event');
    expect(last({ ...opened, occurrence: null })).not.toContain('own');
    // A preset has read the sender's documentation: `CAPTURE` follows what was paid already (docs.adyen.com/development-resources/webhooks/webhook-types).
    const leftOut = { ...opened, ...documentWith([], { ...sent, isLeftOut: true }), occurrence: opened.occurrence };
    expect(last(leftOut)).toMatch(/there is no enabled rule whose trigger it fires\.$/);
  });

  // `refund.failed`, razorpay.com/docs/webhooks/refunds; `REFUNDED_REVERSED`, docs.adyen.com/api-explorer/Webhooks/1/post/REFUNDED_REVERSED
  it.each(['refund.failed', 'REFUNDED_REVERSED'])('does not ask what %s means', (eventType) => {
    const sent = {
      eventType,
      genericType: 'custom_event',
      sourceGateway: 'generic',
      primaryObjectType: 'refund',
    } as const;
    const opened = { ...documentWith([], sent), occurrence: occurrenceOfEvent(buildEvent(sent), 42) };
    const last = entriesOf({ ...opened, outcome: 'no_rules', refund_failed: true }, Date.parse(at)).at(-1);
    expect(last?.summary).toMatch(/: there is no enabled rule whose trigger it fires\.$/);
  });

  // docs/guide/read-the-log.md: the sentences of one process agree. Rules that listen and were passed over are there.
  it('says of a change that was undone by now which rules it would still fire', () => {
    const document = { ...documentWith([]), overtaken_by: 'cancelled', outcome: 'no_rules' } as const;
    expect(all(document).at(-1)?.summary).toMatch(/no enabled rule whose trigger it fires and that leaves the status/);
  });

  // decisions.md section 3: `stats.run_count` is how often a rule ran. What its entry says was not evaluated again is no run.
  it('does not count a rule that is part of the chain that led here as evaluated', () => {
    const base = documentWith([step(3), step(4)]);
    const document = { ...base, rules: [3, 4].map((id) => ({ id, version: 1 })), cause: { ...base.cause, rules: [3] } };
    expect(all(document).at(-1)?.summary).toContain(': 1 rule evaluated, none matched');
    expect(eventDone({ ...document, done_at: 0 }).rules).toEqual([4]);
  });

  it('asks for a look at a payment that came too late', () => {
    const document = { ...documentWith([]), late: 'refunded' };
    expect(entriesOf(document, Date.parse(at)).at(-2)).toMatchObject({
      event_type: 'late_payment',
      status: 'warning',
      summary: expect.stringContaining('while the order is refunded'),
    });
  });

  it('says which event names no order and which has waited for one', () => {
    const none = { gateway_ids: [], order_id: null, transaction_id: null };
    const said = (orderReference: OrderReference) => {
      const task = received({ orderReference });
      const { status, summary } = entriesOf({ ...newDocument(task), outcome: 'no_order' }, 0).at(-1) as NewAuditEntry;
      return [status, summary.replace(/^[^:]*: /, '')];
    };
    expect(said(none)).toEqual(['info', 'the event names no order, so no rule was run.']);
    const own = received({ sourceGateway: 'generic', orderReference: none });
    const { summary: hint } = entriesOf({ ...newDocument(own), outcome: 'no_order' }, 0).at(-1) as NewAuditEntry;
    expect(hint).toMatch(
      /If it is about one, enter the field that has the order’s number in the “Settings” of its connection/,
    );
    // developers.payu.com, "Notifications": `orderId` is PayU's own, and `extOrderId` that of the shop.
    const other = received({ sourceGateway: 'generic', orderReference: { ...none, order_id: 'LDLW5N7MF4' } });
    const document = newDocument(other);
    const wait = waitingEntry(document, { ...none, order_id: 'LDLW5N7MF4' }, 0).summary;
    for (const text of [wait, entriesOf({ ...document, outcome: 'no_order' }, 0).at(-1)?.summary])
      expect(text).toMatch(
        /no rule (?:is|was) run\. If that is not its order, enter the field that has the order’s number/,
      );
    // docs.tosspayments.com/reference: `orderId` is the shop's own text, often `order_1042`; yookassa.ru signs nothing, and names the payment alone with a refund
    const hintOf = (orderReference: OrderReference) => {
      const task = received({ sourceGateway: 'generic', orderReference, authenticated: false });
      return waitingEntry(newDocument(task), orderReference, 0).summary;
    };
    expect(hintOf({ ...none, order_id: 'order_1042' })).toContain(
      'number, or “order_” as the prefix of its references,',
    );
    expect(hintOf({ ...none, order_id: '1042' })).not.toMatch(/prefix|proves/);
    expect(hintOf({ ...none, transaction_id: '22d6d597' })).toMatch(/only where the sender proves who it is/);
    expect(said({ ...none, order_id: '1010' })).toEqual([
      'warning',
      'the shop has no order 1010 and the event has waited long enough, so no rule was run.',
    ]);
  });

  it.each([
    ['success', ['applied', 'applied'], 'success', '2 of 2 actions done.'],
    ['success', ['queued', 'queued'], 'pending', '0 of 2 actions done, 2 still to be delivered.'],
    ['success', ['skipped', 'skipped'], 'info', '0 of 2 actions done, 2 not run.'],
    ['partial', ['applied', 'failed'], 'warning', '1 of 2 actions done.'],
    ['error', ['failed', 'skipped'], 'error', '0 of 2 actions done, 1 not run.'],
  ] as const)('an outcome %s with actions %j has the status %s', (outcome, results, status, text) => {
    const actions = results.map((result, index) => ({
      ...noteAction,
      index,
      result: { status: result, by: 'proc_1', message: 'x', changes: [] },
    }));
    const matched = step(1, { matched: true, conditions: [], actions });
    const last = entriesOf({ ...documentWith([matched]), outcome }, Date.parse(at)).at(-1);
    expect(last).toMatchObject({ event_type: 'process_completed', status, summary: expect.stringContaining(text) });
  });

  it('tells an action that was done by an earlier try as done, and one of another event as not done again', () => {
    const entry = (by: string) => {
      const result = { status: 'already_applied' as const, by, message: 'A note was added.', changes: [] };
      const matched = step(1, { matched: true, conditions: [], actions: [{ ...noteAction, result }] });
      const [, , , action_entry, outcome] = entriesOf(
        { ...documentWith([matched]), fence: 2, outcome: 'success' },
        Date.parse(at),
      );
      return { ...action_entry, outcome: outcome?.summary };
    };
    expect(entry('proc_2')).toMatchObject({
      status: 'skipped',
      summary: expect.stringContaining(
        'nothing was done again, because this rule has acted on the same payment, refund or change before. What it did then: A note',
      ),
      outcome: expect.stringContaining('0 of 1 action done, 1 done already for the same payment, refund or change.'),
    });
    expect(entry('proc_1')).toMatchObject({
      status: 'success',
      summary: expect.stringContaining('it was already done for this event. A note'),
      outcome: expect.stringContaining('1 of 1 action done.'),
    });
  });

  it.each([
    ['amount_mismatch', '28.00 EUR', 'amount mismatch between the order (49.00 EUR) and the event (28.00 EUR), so'],
    [
      'amount_unreadable',
      'The amount 1,00 is no number.',
      'amount is unreadable (The amount 1,00 is no number; the order has 49.00 EUR), so',
    ],
  ] as const)('says %s in words that a search finds', (kind, actual, text) => {
    const document = documentWith([]);
    const outcome = all({
      ...document,
      outcome: 'amount_mismatch',
      mismatch: { kind, expected: '49.00 EUR', actual },
    }).at(-1);
    expect(outcome?.summary).toContain(text);
  });

  it('begins with the reception, which names the order, and for a closer look how the event was read', () => {
    const [first, second] = all(documentWith([step(1)], { amount: '49.00', currency: 'EUR' }));
    expect(first).toMatchObject({
      event_type: 'webhook_received',
      uid: 'evt_1:received',
      order_id: 42,
      is_debug: false,
    });
    expect(second).toMatchObject({ event_type: 'event_normalized', status: 'debug', is_debug: true, order_id: 42 });
    expect(second?.summary).toMatch(/was read as payment_completed, with 49\.00 EUR\.$/);
  });

  it('says in the sender’s own words what was read, and which amount cannot be', () => {
    const named = { ...webhook, metadata: { gateway_event_type: 'payment_completed' } };
    const event = buildEvent({
      eventType: 'payment_failed',
      genericType: 'payment_failed',
      amount: null,
      amountProblem: 'x',
    });
    const task = taskOfEvent({ event, process_id: 'proc_1', webhook: named });
    const [, normalized] = all({ ...newDocument(task), order_id: 42, steps: [], outcome: 'no_rules' });
    expect(normalized?.summary).toBe('payment_completed was read as payment_failed, with an unreadable amount.');
  });

  // "Enum InvoiceBillingReason", https://docs.rs/async-stripe-shared/1.0.0-alpha.9/stripe_shared/enum.InvoiceBillingReason.html
  it.each<[string, Parameters<typeof buildEvent>[0], string]>([
    [
      'an upgrade',
      { genericType: null, billing: 'other' },
      'neither a first payment nor a renewal, so it pays no order',
    ],
    [
      'a word of the sender',
      { genericType: 'custom_event' },
      'what it means can be set with the “Event types” of its connection',
    ],
  ])('says why %s is no payment', (_what, over, text) => {
    const document: EvaluationDocument = { ...documentWith([], over), outcome: 'no_rules' };
    expect(all(document).at(-1)?.summary).toContain(`there is no enabled rule whose trigger it fires; it`);
    expect(all(document).at(-1)?.summary).toContain(text);
  });

  it('says that an event names no amount', () => {
    const [, normalized, ...rest] = all(documentWith([], { amount: null, currency: null }));
    expect(normalized?.summary).toMatch(/with no amount\.$/);
    expect(rest.at(-1)?.summary).toMatch(/The event names no amount, so it was not compared with the order\.$/);
    expect(all(documentWith([])).at(-1)?.summary).not.toContain('names no amount');
  });

  it('says how long the event and its actions took', () => {
    const later = entriesOf(documentWith([]), Date.parse(at) + 250).at(-1);
    expect(later).toMatchObject({ event_type: 'process_completed', duration_ms: 250 });
  });

  it('counts a replay from when it was asked for, and begins its process then', () => {
    const event = buildEvent({ id: 'evt_1', receivedAt: at });
    const asked = new Date(Date.parse(at) + 86_400_000).toISOString();
    const task = taskOfEvent({ event, process_id: 'proc_1', webhook, replayed_at: asked });
    const document = { ...documentWith([]), ...newDocument(task), outcome: 'no_match' as const };
    const [reception, normalized, ...rest] = entriesOf(document, Date.parse(asked) + 250);
    expect([reception?.timestamp, normalized?.timestamp]).toEqual([asked, asked]);
    expect(rest.at(-1)).toMatchObject({
      event_type: 'process_completed',
      duration_ms: 250,
      details: { total_ms: 250 },
    });
  });

  it('tells the same entries again under the same uids', () => {
    const document = documentWith([step(1), step(2)]);
    const uids = (now: number) => entriesOf(document, now).map(({ uid }) => uid);
    expect(uids(1)).toEqual(uids(2));
    expect(new Set(uids(1)).size).toBe(5);
  });
});
