import type { Occurrence, OrderContext, RuleRecord } from '@order-automation/contracts';
import { builtInComponents, compileRules, createRegistry, type Facts } from '@order-automation/engine';
import { buildEvent } from '@order-automation/testing';
import { type EvaluationDocument, newDocument, type RuleStep } from '../evaluation-document';
import { taskOfEvent } from '../task';
import { decide, outcomeOf, pendingStep, remaining } from './decide';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

const context: OrderContext = {
  order: {
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: '2026-01-01T00:00:00.000Z',
    date_modified: '2026-01-01T00:00:00.000Z',
    date_paid: null,
    date_completed: null,
    customer_id: 1,
    payment_method: 'gateway_card',
    payment_method_title: 'Card',
    transaction_id: '',
    customer_note: '',
    billing: address(),
    shipping: address(),
    line_items: [],
    shipping_lines: [],
    meta_data: [],
  },
  products: [],
};

function address() {
  return {
    first_name: 'A',
    last_name: 'B',
    company: '',
    address_1: '',
    address_2: '',
    city: '',
    state: '',
    postcode: '',
    country: 'DE',
    email: 'a@example.com',
    phone: '',
  };
}

const occurrence: Occurrence = {
  key: 'k',
  type: 'payment_completed',
  order_id: 7,
  transaction_id: 'pi_1',
  from_status: null,
  to_status: null,
  event_type: 'payment.card.payment_intent_succeeded',
  gateway: 'gateway_card',
  authenticated: true,
  at: '2026-01-02T03:04:05.000Z',
};

const facts: Facts = { context, occurrence, customer: null, now, timeZone: 'UTC' };

const webhook = { connection: null, body_bytes: 2, metadata: {} };
const progress = (steps: RuleStep[] = [], rules: number[] = []): EvaluationDocument => {
  const document = newDocument(taskOfEvent({ event: buildEvent(), process_id: 'proc_1', webhook }));
  return { ...document, steps, occurrence, cause: { ...document.cause, rules } };
};
const outcome = (steps: RuleStep[]) => outcomeOf(progress(steps));

function rule(id: number, over: { amount?: number; stop?: boolean; notes?: number } = {}): RuleRecord {
  return {
    id,
    name: `rule ${id}`,
    enabled: true,
    position: id,
    stop_processing: over.stop ?? false,
    version: 1,
    rule: {
      trigger: { id: 'order_processing', settings: {} },
      conditions:
        over.amount === undefined ? [] : [{ id: 'order_total', settings: { operator: 'gt', amount: over.amount } }],
      primaryAction: null,
      secondaryActions: Array.from({ length: over.notes ?? 1 }, () => ({
        id: 'add_order_note',
        settings: { note_text: 'hello' },
      })),
    },
    created_at: occurrence.at,
    updated_at: occurrence.at,
    updated_by: 'admin',
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
  };
}

const registry = createRegistry(builtInComponents);
const candidates = (...rules: RuleRecord[]) => compileRules(rules, registry).forOccurrence(occurrence);
const done = (steps: RuleStep[], status: 'applied' | 'failed' | 'skipped' = 'applied') =>
  steps.map((step) => ({
    ...step,
    actions: step.actions.map((action) => ({ ...action, result: { status, by: 'proc_1', message: 'm', changes: [] } })),
  }));

describe('decide', () => {
  it('goes past rules that do not match and halts at the first that has actions to run', () => {
    const rules = candidates(rule(1, { amount: 50 }), rule(2), rule(3));
    const first = decide(progress(), rules, facts);
    expect(first.map((step) => [step.rule_id, step.matched])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(first[0]?.reason).toContain('49.00');
    const second = decide(progress(done(first)), rules, facts);
    expect(second.map((step) => step.rule_id)).toEqual([3]);
    expect(decide(progress(done([...first, ...second])), rules, facts)).toEqual([]);
  });

  it('ends the occurrence at a matching rule that stops processing, and not at one that does not match', () => {
    const rules = candidates(rule(1, { amount: 50, stop: true }), rule(2, { stop: true }), rule(3));
    const steps = decide(progress(), rules, facts);
    expect(steps.map((step) => step.rule_id)).toEqual([1, 2]);
    expect(remaining(progress(done(steps)), rules)).toEqual([]);
  });

  it('gives each action of an occurrence its own key, the same one every time', () => {
    const keys = (id: number) =>
      decide(progress(), candidates(rule(id, { notes: 3 })), facts).flatMap((step) =>
        step.actions.map((action) => action.key),
      );
    expect(new Set([...keys(1), ...keys(2)]).size).toBe(6);
    expect(keys(1)).toEqual(keys(1));
  });

  it('decides a step on the revision that the order has, and leaves it to be carried out', () => {
    const steps = decide(progress(), candidates(rule(1), rule(2)), {
      ...facts,
      context: { ...context, revision: '7' },
    });
    expect(steps).toHaveLength(1);
    expect(pendingStep({ steps })).toMatchObject({ rule_id: 1, revision: '7', actions: [{ id: 'add_order_note' }] });
  });

  it('waits with a rule that asks for a product which the shop could not read, and with no other', () => {
    const unreadable = 'WooCommerce answered 500 to GET wc/v3/products/7, and other requests work.';
    const product = { id: 7, name: '', type: '', category_ids: [], tag_ids: [], unreadable };
    const line = { id: 1, name: 'Tea', product_id: 7, quantity: 1, total: '49.00', sku: '' };
    const unread = { ...facts, context: { order: { ...context.order, line_items: [line] }, products: [product] } };
    const asking = (more: RuleRecord['rule']['conditions'] = []) => {
      const { rule: settings, ...record } = rule(1);
      const conditions = [...more, { id: 'product_category', settings: { categories: ['3'], match: 'none' } }];
      return { ...record, rule: { ...settings, conditions } };
    };
    expect(() => decide(progress(), candidates(asking()), unread)).toThrow(unreadable);
    const tooLittle = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };
    expect(decide(progress(), candidates(asking([tooLittle]), rule(2)), unread)).toMatchObject([
      { rule_id: 1, matched: false, failed: false },
      { rule_id: 2, matched: true },
    ]);
    // docs/guide/woocommerce.md: "a rule that asks for its category, tag or type waits"; what is broken otherwise asks for none of these
    const ofCustomer = [{ id: 'customer_role', settings: { roles: ['customer'] } }];
    const broken = { ...rule(1), rule: { ...rule(1).rule, conditions: ofCustomer } };
    expect(decide(progress(), candidates(broken, rule(2)), { ...unread, customer: null })).toMatchObject([
      { rule_id: 1, failed: true },
      { rule_id: 2, matched: true },
    ]);
    const shadow = { ...asking(), enabled: false, shadow: true };
    expect(decide(progress(), candidates(shadow), unread)).toMatchObject([
      { matched: false, failed: true, reason: expect.stringContaining('the shop could not read product 7') },
    ]);
  });

  it('does not evaluate a rule again in the chain that it started, and says so', () => {
    const [first, second] = decide(progress([], [1, 5]), candidates(rule(1), rule(2)), facts);
    expect(first).toMatchObject({ rule_id: 1, matched: false, reason: expect.stringContaining('rules 1 → 5 → 1') });
    expect(second).toMatchObject({ rule_id: 2, matched: true });
  });
});

describe('outcomeOf', () => {
  const steps = (...rules: RuleRecord[]) => decide(progress(), candidates(...rules), facts);

  it('is no_rules, no_match, success, partial or error', () => {
    expect(outcome([])).toBe('no_rules');
    expect(outcome(steps(rule(1, { amount: 50 })))).toBe('no_match');
    expect(outcome(done(steps(rule(1))))).toBe('success');
    expect(outcome(done(steps(rule(1)), 'failed'))).toBe('error');
    expect(outcome([...done(steps(rule(1)), 'failed'), ...done(steps(rule(2)))])).toBe('partial');
  });

  it('is an error when no action was run, and partial when some were not; a test runs none on purpose', () => {
    const notRun = done(steps(rule(1, { notes: 2 })), 'skipped');
    expect(outcome(notRun)).toBe('error');
    expect(outcome([...notRun, ...done(steps(rule(2)))])).toBe('partial');
    const { cause, ...rest } = progress(notRun);
    expect(outcomeOf({ ...rest, cause: { ...cause, is_test: true } })).toBe('success');
  });

  it('is an error when the only rule is broken, and partial beside one that worked', () => {
    const broken = { ...rule(1), rule: { ...rule(1).rule, conditions: [{ id: 'moon_phase', settings: {} }] } };
    const failed = steps(broken);
    expect(failed[0]?.reason).toContain('unknown_component');
    expect(outcome(failed)).toBe('error');
    expect(outcome([...failed, ...done(steps(rule(2)))])).toBe('partial');
  });
});
