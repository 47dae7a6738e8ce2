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
    verdicts: [],
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

  it('tells several together, each with the condition that decided it', () => {
    const all = entries(...[1, 2, 3, 4, 5, 6, 7].map((id) => step(id)));
    expect(all.map(({ event_type }) => event_type)).toEqual(['rule_evaluation', 'process_completed']);
    expect(all[0]?.rule_id).toBeNull();
    expect(all[0]?.summary).toMatch(/^Order 42: 7 rules did not match\. .*needs more than 100\.00.*And 2 more\.$/);
    expect(all[0]?.details.rules).toHaveLength(7);
    expect(all[0]?.details.rules).toContainEqual(
      expect.objectContaining({
        id: 6,
        name: 'Rule 6',
        condition: 'order_total',
        expected: 'more than 600.00',
        actual: '49.00',
      }),
    );
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
