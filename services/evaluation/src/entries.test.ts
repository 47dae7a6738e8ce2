import { newAuditEntrySchema } from '@order-automation/contracts';
import { entriesOf } from './entries';
import type { EvaluationDocument, RuleStep } from './evaluations';

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

function documentWith(steps: RuleStep[]): EvaluationDocument {
  return {
    _id: 'evt_1',
    origin: 'intake',
    process_id: 'proc_1',
    state: 'open',
    order_id: 42,
    found_by: 'order_id',
    occurrence: null,
    cause: {
      event_type: 'payment',
      gateway: 'gateway_card',
      authenticated: true,
      is_test: false,
      depth: 0,
      received_at: at,
    },
    mismatch: null,
    steps,
    rules: [],
    matched: [],
    outcome: 'no_match',
    fence: 1,
    attempts: 0,
    lease_until: 0,
    done_at: null,
  } as EvaluationDocument;
}

const entries = (...steps: RuleStep[]) =>
  entriesOf(documentWith(steps), Date.parse(at)).map((entry) => newAuditEntrySchema.parse(entry));

describe('entriesOf', () => {
  it('gives the one rule that did not match an entry of its own', () => {
    const [entry] = entries(step(7));
    expect(entry).toMatchObject({ event_type: 'rule_evaluation', status: 'skipped', rule_id: 7 });
    expect(entry?.summary).toContain('needs more than 700.00');
  });

  it('cuts a reason that is longer than a summary may be', () => {
    const [entry] = entries(step(7, { reason: 'x'.repeat(3000) }));
    expect(entry?.summary).toHaveLength(2000);
  });

  it('tells several together, each with the condition that decided it', () => {
    const all = entries(...[1, 2, 3, 4, 5, 6, 7].map((id) => step(id)));
    expect(all.map(({ event_type }) => event_type)).toEqual(['rule_evaluation', 'process_completed']);
    expect(all[0]?.rule_id).toBeNull();
    expect(all[0]?.summary).toBe(
      'Order 42: 7 rules did not match. Rule "Rule 1" did not match: order total is 49.00, the rule needs more than 100.00. ' +
        'Nor did "Rule 2" (Order total: 49.00, needs more than 200.00), "Rule 3" (Order total: 49.00, needs more than 300.00). And 4 more.',
    );
    const rules = [1, 2, 3, 4, 5, 6, 7].map((id) => ({
      id,
      name: `Rule ${id}`,
      version: 1,
      expected: `more than ${id}00.00`,
    }));
    expect(all[0]?.details).toEqual({
      decided_by: [{ condition: 'order_total', label: 'Order total', actual: '49.00', rules }],
    });
  });

  it('tells apart what different conditions found', () => {
    const types = {
      id: 'product_type',
      label: 'Product type',
      expected: 'a product of type grouped',
      actual: 'simple',
    };
    const other = step(2, { conditions: [{ ...types, result: 'fail', reason: '' }] });
    const [entry] = entries(step(1), other, step(3));
    const decisions = entry?.details.decided_by as { condition: string; rules: { id: number }[] }[];
    expect(decisions.map(({ condition, rules }) => [condition, rules.map(({ id }) => id)])).toEqual([
      ['order_total', [1, 3]],
      ['product_type', [2]],
    ]);
    expect(entry?.summary).toContain('"Rule 2" (Product type: simple, needs a product of type grouped)');
  });

  it('says in words only of a condition that could not be judged what was wrong with it', () => {
    const passed = { ...step(1).conditions[0], result: 'pass' } as RuleStep['conditions'][number];
    const wrong = { ...passed, result: 'error', reason: 'the condition could not be evaluated' } as const;
    const [entry] = entries(step(1, { failed: true, conditions: [passed, wrong] }));
    const { reason, ...rest } = passed;
    expect(entry?.details.conditions).toEqual([rest, wrong]);
    expect(entry?.details.reason).toBeUndefined();
  });

  it('keeps rules that matched or broke apart from them', () => {
    const all = entries(step(1), step(2, { matched: true, conditions: [] }), step(3), step(4, { failed: true }));
    expect(all.map(({ rule_id, status }) => [rule_id, status])).toEqual([
      [2, 'success'],
      [4, 'error'],
      [null, 'skipped'],
      [null, 'info'],
    ]);
  });

  it('tells an action that was done before an interruption as done, and one of another event as not done again', () => {
    const action = {
      index: 1,
      kind: 'secondary' as const,
      id: 'add_order_note',
      label: 'Add order note',
      key: 'k',
      command: { kind: 'add_note' as const, note: 'x', customer_note: false },
    };
    const told = (by: string) => {
      const result = { status: 'already_applied' as const, by, message: 'A note was added.', changes: [] };
      const matched = step(1, { matched: true, conditions: [], actions: [{ ...action, result }] });
      return entriesOf({ ...documentWith([matched]), fence: 2 }, Date.parse(at))[1];
    };
    expect(told('proc_2')).toMatchObject({
      status: 'skipped',
      summary: expect.stringContaining('nothing was done again'),
    });
    expect(told('proc_1')).toMatchObject({ status: 'success', summary: expect.stringContaining('taken up again') });
  });

  it('tells the same entries again under the same uids', () => {
    const document = documentWith([step(1), step(2)]);
    const uids = (now: number) => entriesOf(document, now).map(({ uid }) => uid);
    expect(uids(1)).toEqual(uids(2));
    expect(new Set(uids(1)).size).toBe(2);
  });
});
