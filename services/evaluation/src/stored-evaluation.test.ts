import type { EvaluationDocument, RuleStep } from './evaluations';
import { restored, storedClaim, storedDone } from './stored-evaluation';
import { workOfChange } from './work';

const at = '2026-01-02T03:04:05.000Z';

const note = { kind: 'add_note' as const, note: 'x', customer_note: false };
const applied = { status: 'applied' as const, by: 'proc_1', message: 'A note was added.', changes: [] };
const condition = { id: 'order_total', label: 'Order total', expected: 'more than 10.00', actual: '49.00' };

function step(over: Partial<RuleStep>): RuleStep {
  return {
    rule_id: 1,
    rule_name: 'One',
    rule_version: 3,
    matched: true,
    failed: false,
    reason: 'Rule "One" matched: its condition passed.',
    conditions: [{ ...condition, result: 'pass', reason: '' }],
    actions: [],
    stop: false,
    at,
    ...over,
  };
}

function documentOf(over: Partial<EvaluationDocument> = {}): EvaluationDocument {
  const cause = { process_id: 'proc_1', depth: 0, author: 'admin' };
  const change = { change_id: 'chg_1', order_id: 7, kind: 'status_changed', from: 'a', to: 'b', cause, at } as const;
  return { ...workOfChange(change).document, ...over };
}

const event = documentOf({
  origin: 'intake',
  found_by: 'transaction_id',
  cause: {
    event_type: 'payment.card.charge_succeeded',
    gateway: 'gateway_card',
    authenticated: true,
    is_test: false,
    depth: 0,
    received_at: at,
  },
  occurrence: {
    key: 'key',
    type: 'payment_completed',
    order_id: 7,
    transaction_id: 'pi_1',
    from_status: null,
    to_status: null,
    event_type: 'payment.card.charge_succeeded',
    gateway: 'gateway_card',
    authenticated: true,
    at,
  },
});

/** As the store gives it back. */
const again = (document: EvaluationDocument) => restored(JSON.parse(JSON.stringify(storedClaim(document))));

test.each([
  ['an event', event],
  ['a change of an order', documentOf()],
  ['an event without an order', { ...event, occurrence: null, order_id: null, outcome: 'no_order' as const }],
  [
    'an event of another amount',
    { ...event, mismatch: { kind: 'amount_mismatch' as const, expected: '49.00 EUR', actual: '1.00 EUR' } },
  ],
])('%s comes back as it was stored', (_what, document) => {
  expect(again(document)).toEqual(document);
});

test('what was decided comes back as it was, with actions that are pending and done', () => {
  const action = { id: 'add_order_note', label: 'Add order note', command: note };
  const steps = [
    step({
      actions: [
        { ...action, index: 0, kind: 'primary', key: 'key:1:0', result: applied },
        { ...action, index: 2, kind: 'secondary', key: 'key:1:2', result: null },
      ],
      stop: true,
    }),
    step({ rule_id: 2, matched: false, reason: 'Rule "Two" did not match: too small.' }),
    step({
      rule_id: 3,
      matched: false,
      failed: true,
      reason: 'Rule "Three" failed: unknown_component: condition gone.',
      conditions: [{ ...condition, result: 'error', reason: 'unknown_component' }],
    }),
    step({ rule_id: 4, reason: 'Rule "Four" matched: all 2 conditions passed.', rule_name: 'Four', conditions: [] }),
  ];
  const [first, second, third, fourth] = again({ ...event, steps }).steps;
  expect([first, second, third]).toEqual(steps.slice(0, 3));
  expect(fourth?.reason).toBe('Rule "Four" matched: it has no conditions, so it matches every time its trigger fires.');
});

test('of a done event it tells which rules were evaluated and which of them matched, and no more', () => {
  const end = { state: 'done', outcome: 'no_match', rules: [3, 1], matched: [1], done_at: 5 } as const;
  const kept = storedDone({ ...event, steps: [step({})], ...end });
  expect(restored(kept)).toMatchObject(end);
  expect([kept.steps, kept.occurrence]).toEqual([undefined, undefined]);
});
