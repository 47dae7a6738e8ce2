import type { Occurrence } from '@order-automation/contracts';
import { builtInComponents, createRegistry } from '@order-automation/engine';
import { buildOrder, buildOrderContext, buildRule, buildRuleData } from '@order-automation/testing';
import { factsAtEnd, foundSince, recordedFacts } from '../deciding/recorded-facts';
import type { EvaluationDocument, RuleStep } from '../evaluation-document';
import { newDocument } from '../evaluation-document';
import { candidateOf, judge } from './judge';

const now = Date.UTC(2026, 0, 5);
const contextOf = (status: string, total = '49.00') =>
  buildOrderContext({ order: buildOrder({ id: 42, status, total, currency: 'EUR', tags: ['new'] }) });
const occurrence = { type: 'payment_completed', from_status: null, to_status: null } as Occurrence;
const factsOf = (context: ReturnType<typeof contextOf>, at: number) => ({
  context,
  occurrence,
  customer: null,
  now: at,
  timeZone: 'UTC',
});
const ruleOf = (id: number, conditions: { id: string; settings: Record<string, unknown> }[]) =>
  buildRule({
    id,
    position: id,
    rule: buildRuleData({ trigger: { id: 'order_processing', settings: {} }, conditions, primaryAction: null }),
  });
const completed = { id: 'order_status', settings: { statuses: ['completed'] } };
const large = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };

/** A payment that found a pending order; rule 1 completed it, and somebody raised its total before rule 2 was decided. */
function pastEvent(): EvaluationDocument {
  const first = recordedFacts(contextOf('pending'), now);
  const moved = { field: 'status', from: 'pending', to: 'completed' };
  const step = (rule_id: number, over: object) =>
    ({ rule_id, rule_version: 1, actions: [], stop: false, ...over }) as unknown as RuleStep;
  const found = foundSince(first, factsOf(contextOf('completed', '90.00'), now + 1_000));
  const steps = [
    step(1, { actions: [{ result: { status: 'applied', changes: [moved] } }] }),
    step(2, found ? { found } : {}),
    step(4, found ? { found } : {}),
  ];
  const cause = {
    event_type: 'payment_completed',
    gateway: 'generic',
    authenticated: true,
    is_test: false,
    depth: 0,
    rules: [],
  };
  const document = newDocument({ id: 'evt_1', origin: 'intake', process_id: 'proc_1', cause } as never);
  return {
    ...document,
    state: 'done',
    order_id: 42,
    outcome: 'success',
    rules: [
      { id: 1, version: 1 },
      { id: 2, version: 1 },
      { id: 4, version: 1 },
    ],
    facts: JSON.parse(JSON.stringify(factsAtEnd(first, occurrence, steps))),
    done_at: now + 2_000,
  };
}

const positions = new Map([
  [1, 1],
  [2, 2],
  [4, 4],
]);
const verdictOf = (id: number, conditions: Parameters<typeof ruleOf>[1], document = pastEvent()) => {
  const candidate = candidateOf(ruleOf(id, conditions), positions, createRegistry(builtInComponents));
  return candidate && judge(candidate, document, 'UTC').verdict;
};

test.each([
  ['the first rule', 1, [], 'match'],
  ['the first rule did not find what came later', 1, [large], 'no_match'],
  ['a later rule, though the order is past what its trigger asks for', 2, [completed], 'match'],
  ['a later rule, by what somebody else has changed meanwhile', 2, [completed, large], 'match'],
  ['a new rule after both', 3, [completed, large], 'match'],
  ['a rule that found what another had found', 4, [completed, large], 'match'],
] as const)('by the facts of its moment: %s', (_what, id, conditions, verdict) => {
  expect(verdictOf(id, [...conditions])).toBe(verdict);
});

test('a moment is kept once for the rules that found the same', () => {
  const document = pastEvent();
  const [moment, ...others] = document.facts?.moments ?? [];
  expect(others).toEqual([]);
  expect(moment).toMatchObject({ rule_ids: [2, 4], at: now + 1_000 });
  expect(verdictOf(4, [large], { ...document, facts: { ...document.facts, moments: [] } } as never)).toBe('no_match');
});
