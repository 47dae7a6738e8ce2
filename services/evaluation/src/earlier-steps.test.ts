import { currentSteps } from './earlier-steps';
import { newDocument } from './evaluations';

const action = (index: number, effect: object, result: object | null = null) => ({
  index,
  kind: 'primary',
  id: 'an_action',
  label: 'An action',
  key: `payment:7:${index}`,
  effect,
  message: '',
  expected: { status: 'processing' },
  result,
});
const complete = {
  kind: 'order',
  command: { kind: 'set_status', status: 'wc-completed', send_emails: false, update_stock: true },
};
const note = { kind: 'order', command: { kind: 'add_note', note: 'n', customer_note: false } };

/** As a version of before stored it. */
const document = (actions: readonly object[]) =>
  ({
    ...newDocument({ id: 'evt_1', origin: 'intake', process_id: 'proc_1', subject: {}, cause: {} } as never),
    occurrence: { key: 'payment' },
    steps: [{ rule_id: 7, rule_name: 'r', rule_version: 1, matched: true, actions }],
  }) as never;

describe('steps that an earlier version decided', () => {
  test.each([
    ['as it was', [action(0, complete), action(1, note)], 'processing', null],
    ['as the step makes it', [action(0, complete), action(1, note)], 'completed', null],
    ['moved by somebody else', [action(0, complete), action(1, note)], 'cancelled', 'passed'],
    ['moved, and the step has begun', [action(0, complete, { status: 'applied' }), action(1, note)], 'cancelled', null],
  ])('an order that is %s', (_, actions, status, revision) => {
    const [step] = currentSteps(document(actions), { status });
    expect(step).toMatchObject({ key: 'payment:7', revision, rule_id: 7 });
    expect(step?.actions.map(({ key }) => key)).toEqual(['payment:7:0', 'payment:7:1']);
    expect(step?.actions[0]).not.toHaveProperty('expected');
  });

  test('those of this version stay as they are', () => {
    const steps = [{ key: 'k', revision: '3', actions: [] }];
    expect(currentSteps({ steps } as never, { status: 'x' })).toBe(steps);
  });
});
