import { facts, occurrence, record } from '../test/fixtures';
import { compileRule } from './compile-rule';
import { compileRules } from './compile-rules';
import { type ComponentRegistrar, registryWith } from './extension-components';
import type { Registry } from './registry';
import { validateRule } from './validate-rule';

type Register = (registrar: ComponentRegistrar) => void;
const withExtension = (register: Register): Promise<Registry> =>
  registryWith(async (registrarOf) => register(registrarOf('./extensions/loyalty.mjs')));

const member = {
  id: 'member',
  label: 'Member',
  description: 'Passes for members.',
  schema: {
    type: 'object',
    properties: { level: { type: 'integer' } },
    required: ['level'],
    additionalProperties: false,
  },
  compile: () => () => ({ pass: true, expected: 'a member', actual: 'a member', reason: 'the customer is a member' }),
};
const points = {
  id: 'give_points',
  label: 'Give points',
  description: 'Notes the points.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  compile: () => () => ({
    effect: { kind: 'order', command: { kind: 'add_note', note: '5 points', customer_note: false } },
    describe: { message: 'note the points' },
  }),
};
const lost = {
  id: 'dispute_lost',
  label: 'Dispute lost',
  description: 'Fires when a dispute is lost.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  listensTo: () => [{ type: 'dispute_lost' }],
  fires: () => 'fires when a dispute is lost',
};
const rule = record({
  trigger: { id: 'dispute_lost', settings: {} },
  conditions: [{ id: 'member', settings: { level: 2 } }],
  primaryAction: null,
  secondaryActions: [{ id: 'give_points', settings: {} }],
});
const all: Register = (registrar) => {
  registrar.registerTrigger(lost);
  registrar.registerCondition(member);
  registrar.registerSecondaryAction(points);
};

test('a rule of components that an extension registered is checked, listed and evaluated like any other', async () => {
  const registry = await withExtension(all);
  expect(validateRule(rule.rule, 'default', registry)).toMatchObject({ ok: true });
  const wrong = { ...rule.rule, conditions: [{ id: 'member', settings: { levle: 2 } }] };
  expect(validateRule(wrong, 'default', registry)).toMatchObject({ ok: false, code: 'svc_validation_failed' });
  for (const registered of [
    registry.triggers.get('dispute_lost'),
    registry.conditions.get('member'),
    registry.secondaryActions.get('give_points'),
  ])
    expect(registered?.component).toMatchObject({ edition: 'default', extension: 'loyalty.mjs' });
  expect(registry.conditions.get('order_total')?.component).not.toHaveProperty('extension');
  const [fired] = compileRules([rule], registry).firing(occurrence({ type: 'dispute_lost' }), facts());
  expect(fired?.match(facts())).toMatchObject({ matched: true, error: null });
  expect(fired?.plan(facts())).toMatchObject([{ id: 'give_points', describe: { changes: [] } }]);
});

test.each<[string, Register, RegExp]>([
  [
    'an id of the product',
    (to) => to.registerCondition({ ...member, id: 'order_total' }),
    /condition order_total: its id is taken/,
  ],
  ['an id twice', (to) => [member, member].forEach(to.registerCondition), /condition member: its id is taken/],
  [
    'no function',
    (to) => to.registerCondition({ ...member, compile: 7 }),
    /condition member: compile must be a function/,
  ],
  [
    'a misspelt field',
    (to) => to.registerTrigger({ ...lost, listenTo: 1 }),
    /listenTo is not a field of it, did you mean listensTo\?/,
  ],
  [
    'no schema',
    (to) => to.registerCondition({ ...member, schema: undefined }),
    /schema must be a JSON Schema with the type object/,
  ],
  [
    'a schema that is none',
    (to) => to.registerCondition({ ...member, schema: { type: 'object', properties: { level: { type: 'whole' } } } }),
    /condition member: schema: .*type/,
  ],
  ['a wrong id', (to) => to.registerSecondaryAction({ ...points, id: 'Give points' }), /id must be lower-case letters/],
  [
    'an unknown edition',
    (to) => to.registerCondition({ ...member, edition: 'gold' }),
    /edition must be default or extended/,
  ],
  [
    'needs that do not exist',
    (to) => to.registerCondition({ ...member, needs: ['weather'] }),
    /needs can name customer alone/,
  ],
])('a definition with %s is refused by name', async (_what, register, message) => {
  await expect(withExtension(register)).rejects.toThrow(message);
});

test('what a component of an extension does wrong fails its rule, by name and without the text of its error', async () => {
  const throwing = () => {
    throw new RangeError('connection string with a password');
  };
  const verdictOf = async (over: { condition?: object; action?: object }) => {
    const registry = await withExtension((to) => {
      to.registerTrigger(lost);
      to.registerCondition({ ...member, ...over.condition });
      to.registerSecondaryAction({ ...points, ...over.action });
    });
    const compiled = compileRule(rule, registry);
    expect(JSON.stringify(compiled.judge(facts()))).not.toContain('password');
    return compiled.match(facts());
  };
  expect(await verdictOf({ condition: { compile: throwing } })).toMatchObject({
    error: 'invalid_settings',
    reason: expect.stringContaining('condition member (it threw RangeError)'),
  });
  expect(await verdictOf({ condition: { compile: () => throwing } })).toMatchObject({ error: 'condition_error' });
  const promised = await verdictOf({ condition: { compile: () => async () => ({ pass: true }) } });
  expect(promised).toMatchObject({ matched: false, error: 'condition_error' });
  expect(await verdictOf({ action: { compile: () => throwing } })).toMatchObject({
    matched: false,
    error: 'action_error',
    reason: 'Rule "Big orders" failed: action give_points of loyalty.mjs: it threw RangeError.',
  });
  const odd = { compile: () => () => ({ effect: { kind: 'sms' }, describe: { message: 'send' } }) };
  expect((await verdictOf({ action: odd })).reason).toContain('an action must return { effect, describe');
});

test('a trigger that throws fires nothing; checks of settings that throw refuse the rule', async () => {
  const throwing = () => {
    throw new Error('no');
  };
  const registry = await withExtension((to) => {
    to.registerTrigger({ ...lost, compile: () => throwing });
    to.registerCondition({ ...member, violations: throwing, normalise: throwing });
    to.registerSecondaryAction(points);
  });
  const happened = occurrence({ type: 'dispute_lost' });
  expect(compileRules([rule], registry).firing(happened, facts({ occurrence: happened }))).toEqual([]);
  expect(validateRule(rule.rule, 'default', registry)).toEqual({
    ok: false,
    code: 'svc_validation_failed',
    violations: [{ path: 'conditions.0.settings', message: 'could not be checked: it threw Error' }],
  });
});

test('built-in components stay when an extension registers nothing', async () => {
  const registry = await withExtension(() => undefined);
  const big = compileRule(
    record({ conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 1 } }] }),
    registry,
  );
  expect(big.match(facts())).toMatchObject({ matched: true });
});
