import type { Edition, RuleData } from '@order-automation/contracts';
import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { facts, record, ruleData } from '../test/fixtures';
import { compileRule } from './compile-rule';
import type { Component } from './component';
import { orderTotal } from './components/order-total';
import { builtInComponents, createRegistry } from './registry';
import { ruleRefused, validateRule } from './validate-rule';

const paid: Component = { ...orderTotal, id: 'paid_total', label: 'Paid total', edition: 'extended' };
const registry = createRegistry([...builtInComponents, paid]);
const check = (data: unknown, edition: Edition = 'default') => {
  const result = validateRule(data, edition, registry);
  return result.ok ? 'ok' : [result.code, result.violations.map(({ path }) => path)];
};
const total = (settings: Record<string, unknown>, id = 'order_total') => ({ id, settings });
const withCondition = (settings: Record<string, unknown>) => check(ruleData({ conditions: [total(settings)] }));
const without = (key: keyof RuleData) => {
  const { [key]: _left, ...rest } = ruleData();
  return rest;
};

test('a rule that fits is taken, its operators normalised', () => {
  const result = validateRule(ruleData({ conditions: [total({ operator: '>=', amount: 5 })] }), 'default', registry);
  expect(result).toEqual({ ok: true, rule: ruleData({ conditions: [total({ operator: 'gte', amount: 5 })] }) });
  expect(check(ruleData({ primaryAction: null, conditions: [] }))).toBe('ok');
});

test.each([['wc-'], [' '], ['wc-on-hold', 'wc- ']])(
  'statuses of which nothing is left are refused, because what is stored is taken again: %j',
  (...statuses) => {
    expect(check(ruleData({ conditions: [{ id: 'order_status', settings: { statuses } }] }))).toEqual([
      'svc_validation_failed',
      [`conditions.0.settings.statuses.${statuses.length - 1}`],
    ]);
  },
);

test.each([
  ['add_order_note', { note_text: ' \n\t' }, 'note_text'],
  ['add_order_tag', { tag: '  ' }, 'tag'],
  ['send_email', { to: '{{customer.email}}', subject: ' ', body: 'Thank you' }, 'subject'],
])('%s: blanks alone are no text', (id, settings, field) => {
  const data = ruleData({ secondaryActions: [{ id, settings }] });
  const result = validateRule(data, 'extended', registry);
  const violations = [{ path: `secondaryActions.0.settings.${field}`, message: 'must not be empty' }];
  expect(result).toMatchObject({ ok: false, code: 'svc_validation_failed', violations });
});

test('a text in a list must have more than blanks; a value that may be empty may have blanks', () => {
  const data = ruleData({
    conditions: [{ id: 'coupon', settings: { codes: ['welcome10', ' '] } }],
    secondaryActions: [{ id: 'set_order_meta', settings: { key: 'gift', value: ' ' } }],
  });
  expect(check(data, 'extended')).toEqual(['svc_validation_failed', ['conditions.0.settings.codes.1']]);
});

test.each(['trigger', 'conditions', 'primaryAction', 'secondaryActions'] as const)('%s is required', (key) => {
  expect(check(without(key))).toEqual(['rest_missing_callback_param', [key]]);
});

test('all that is missing or of the wrong type is listed', () => {
  expect(check({})).toEqual([
    'rest_missing_callback_param',
    ['trigger', 'conditions', 'primaryAction', 'secondaryActions'],
  ]);
  expect(check({ trigger: { id: 5 }, conditions: 'none', primaryAction: null, secondaryActions: [{}] })).toEqual([
    'rest_missing_callback_param',
    ['trigger.id', 'trigger.settings', 'conditions', 'secondaryActions.0.id', 'secondaryActions.0.settings'],
  ]);
  expect(check(ruleData({ conditions: {} as never }))).toEqual(['rest_invalid_param', ['conditions']]);
});

test.each([null, undefined, 'rule', 7, [], true])('%p is no rule', (data) => {
  expect(check(data)).not.toBe('ok');
});

test('unknown components and wrong settings are listed together', () => {
  const rule = ruleData({ trigger: { id: 'gone', settings: {} }, conditions: [total({ operator: 'gt' })] });
  expect(check(rule)).toEqual(['svc_unknown_component', ['trigger.id', 'conditions.0.settings.amount']]);
});

test('what is wrong with components is listed beside what is wrong with the shape', () => {
  const rule = {
    trigger: { id: 'gone', settings: {} },
    conditions: [{ id: 5 }, total({ operator: 'gt' })],
    surplus: 1,
  };
  expect(check(rule)).toEqual([
    'rest_missing_callback_param',
    [
      'conditions.0.id',
      'conditions.0.settings',
      'primaryAction',
      'secondaryActions',
      'surplus',
      'trigger.id',
      'conditions.1.settings.amount',
    ],
  ]);
});

test('a component of another kind is unknown there', () => {
  expect(check(ruleData({ primaryAction: { id: 'order_total', settings: {} } }))).toEqual([
    'svc_unknown_component',
    ['primaryAction.id'],
  ]);
});

test.each([
  [{ operator: 'gt', amount: 'fifty' }, ['amount']],
  [{ operator: 'gt', amount: '50' }, ['amount']],
  [{ operator: 'gt', amount: -1 }, ['amount']],
  [{ operator: 'gt', amount: 1e300 }, ['amount']],
  [{ operator: 'resembles', amount: 1 }, ['operator']],
  [{ operator: { $ne: '' }, amount: null }, ['operator', 'operator', 'amount']],
  [{ operator: 'gt', amount: 1, amuont: 2 }, ['amuont']],
  [{ operator: 'between', amount: 5 }, ['amount_to']],
  [{ operator: 'between', amount: 5, amount_to: 4 }, ['amount_to']],
])('settings %j are refused', (settings, paths) => {
  expect(withCondition(settings)).toEqual([
    'svc_validation_failed',
    paths.map((path) => `conditions.0.settings.${path}`),
  ]);
});

test('a rule larger than 100,000 characters, or nested beyond writing, is refused', () => {
  const note = { id: 'add_order_note', settings: { note_text: 'x'.repeat(4_900) } };
  const notes = (count: number) => check(ruleData({ secondaryActions: Array.from({ length: count }, () => note) }));
  expect([notes(15), notes(21)]).toEqual(['ok', ['rest_invalid_param', ['']]]);
  let deep: unknown = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(check(ruleData({ conditions: [total({ operator: 'gt', amount: deep })] }))).toEqual([
    'rest_invalid_param',
    [''],
  ]);
});

test('unknown placeholders are refused', () => {
  const note = { id: 'add_order_note', settings: { note_text: '{{order.secret}} {{order.id}}' } };
  const result = validateRule(ruleData({ secondaryActions: [note] }), 'default', registry);
  expect(result).toEqual({
    ok: false,
    code: 'svc_validation_failed',
    violations: [{ path: 'secondaryActions.0.settings.note_text', message: 'unknown placeholder {{order.secret}}' }],
  });
});

test('without a licence every blocked component is named, and nothing else', () => {
  const blocked = total({}, 'paid_total');
  const rule = ruleData({ conditions: [blocked, total({ operator: 'gt' }), blocked] });
  expect(check(rule)).toEqual(['svc_licence_required', ['conditions.0.id', 'conditions.2.id']]);
  expect(check(rule, 'extended')).toEqual([
    'svc_validation_failed',
    [0, 0, 1, 2, 2].map(
      (at, n) => `conditions.${at}.settings.${['operator', 'amount', 'amount', 'operator', 'amount'][n]}`,
    ),
  ]);
  expect(check(ruleData({ conditions: [total({ operator: 'gt', amount: 1 }, 'paid_total')] }), 'extended')).toBe('ok');
});

test('the default edition refuses each extended component, all of one rule in one answer', () => {
  const extended = (kind: Component['kind']) =>
    builtInComponents
      .filter((component) => component.kind === kind && component.edition === 'extended')
      .map(({ id }) => ({ id, settings: {} }));
  const [conditions, secondaryActions] = [extended('condition'), extended('secondary')];
  const others = [
    ...conditions.map((_, at) => `conditions.${at}.id`),
    ...secondaryActions.map((_, at) => `secondaryActions.${at}.id`),
  ];
  expect([extended('trigger').length, conditions.length, extended('primary').length, secondaryActions.length]).toEqual([
    9, 8, 3, 4,
  ]);
  for (const trigger of extended('trigger'))
    for (const primaryAction of extended('primary')) {
      const [code, paths] = check(ruleData({ trigger, conditions, primaryAction, secondaryActions }));
      expect(code).toBe('svc_licence_required');
      expect([...(paths ?? [])].sort()).toEqual(['trigger.id', 'primaryAction.id', ...others].sort());
    }
});

test('the refusal that the caller reads carries status and violations', () => {
  const refusal = (rule: RuleData) => {
    const result = validateRule(rule, 'default', registry);
    return result.ok ? undefined : ruleRefused(result).body();
  };
  expect(refusal(ruleData({ conditions: [total({}, 'paid_total')] }))).toMatchObject({
    code: 'svc_licence_required',
    data: { status: 403, violations: [{ path: 'conditions.0.id' }] },
  });
  expect(refusal(ruleData({ conditions: [total({}, 'gone')] }))).toMatchObject({
    code: 'svc_unknown_component',
    data: { status: 400, violations: [{ path: 'conditions.0.id' }] },
  });
});

test('an unknown id names the one that was meant, or what it is instead; paths are those of the body', () => {
  const messages = (rule: Partial<RuleData>) => {
    const result = validateRule(ruleData(rule), 'extended', registry);
    return result.ok ? [] : (ruleRefused(result, 'rule').data.violations as object[]);
  };
  expect(messages({ conditions: [total({}, 'order_totl')] })).toEqual([
    { path: 'rule.conditions.0.id', message: 'unknown component order_totl; did you mean order_total?' },
  ]);
  expect(messages({ primaryAction: { id: 'add_order_note', settings: {} } })).toEqual([
    {
      path: 'rule.primaryAction.id',
      message: 'add_order_note exists, but as a secondary action; a primary action is needed here',
    },
  ]);
  expect(messages({ conditions: [total({ operator: 'gt', amuont: 5, amount: 1 })] })).toEqual([
    { path: 'rule.conditions.0.settings.amuont', message: 'is not a setting of this component; did you mean amount?' },
  ]);
});

test.each([
  ['conditions', 'order_total', { operator: 'gt', amount: -1 }, 'must be at least 0'],
  ['conditions', 'order_total', { operator: 'gt', amount: 1e13 }, 'must be at most 1000000000000'],
  ['conditions', 'order_total', { operator: 'gt', amount: '5' }, 'must be a number'],
  ['conditions', 'customer_order_count', { operator: 'gt', amount: 1.5 }, 'must be a whole number'],
  ['conditions', 'product_type', { types: [], match_all: 1 }, 'must not be empty', 'must be true or false'],
  ['conditions', 'product', { products: ['x'] }, expect.stringMatching(/^must be an id in digits/)],
  ['conditions', 'product', { products: ['1', '1'] }, 'must not name anything twice'],
  ['conditions', 'product', { products: [1] }, 'must be text in quotation marks, for example "101"'],
  [
    'conditions',
    'time_window',
    { from: '24:00', to: '10:00' },
    'must be a time from 00:00 to 23:59, for example 09:00',
  ],
  ['secondaryActions', 'add_order_note', { note_text: '' }, 'must not be empty'],
  ['secondaryActions', 'add_order_note', { note_text: 'x'.repeat(5001) }, 'must have at most 5000 characters'],
  ['secondaryActions', 'set_order_meta', { key: '_x', value: '' }, expect.stringMatching(/^must not begin with/)],
  [
    'secondaryActions',
    'send_webhook',
    { url: 'https://a.example', event: '!' },
    expect.stringMatching(/^must be letters/),
  ],
])('%s: %s says what is wrong with %j in words for people', (kind, id, settings, ...messages) => {
  const result = validateRule(ruleData({ [kind]: [{ id, settings }] }), 'extended', registry);
  expect(result.ok ? [] : result.violations.map(({ message }) => message).sort()).toEqual(messages.sort());
});

test('whatever comes is answered; what is taken compiles and is taken again unchanged', () => {
  const choice = fc.record({
    id: fc.oneof(fc.constantFrom('order_processing', 'order_total', 'product_type', '__proto__'), fc.string()),
    settings: fc.oneof(
      fc.constant({}),
      fc.record({ operator: fc.constantFrom('gt', '<', 'between', '=='), amount: fc.double() }),
      fc.record({ types: fc.array(fc.string()), match_all: fc.boolean() }),
      fc.dictionary(fc.string(), fc.jsonValue()),
    ),
  });
  const rule = fc.record({
    trigger: fc.oneof(fc.constant({ id: 'order_processing', settings: {} }), choice),
    conditions: fc.array(choice, { maxLength: 3 }),
    primaryAction: fc.oneof(fc.constant(null), choice),
    secondaryActions: fc.array(choice, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: rule }, { weight: 1, arbitrary: fc.jsonValue() }), (data) => {
      const result = validateRule(data, 'extended', registry);
      if (!result.ok) return expect(result.violations.length).toBeGreaterThan(0);
      expect(validateRule(result.rule, 'extended', registry)).toEqual(result);
      const compiled = compileRule(record(result.rule), registry);
      expect(compiled.problem).toBeNull();
      expect(compiled.judge(facts({ occurrence: null })).error).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test('every field of every schema has a title and a description', () => {
  for (const component of builtInComponents) {
    const properties = component.schema.properties as Record<string, { title?: string; description?: string }>;
    for (const [name, { title, description }] of Object.entries(properties)) {
      expect([component.id, name, title, description]).toEqual([
        component.id,
        name,
        expect.any(String),
        expect.any(String),
      ]);
    }
  }
});

test('the defaults of a schema fit it', () => {
  for (const component of builtInComponents) {
    const properties = component.schema.properties as Record<string, { default?: unknown }>;
    for (const [name, { default: value, ...property }] of Object.entries(properties)) {
      if (value === undefined) continue;
      expect([component.id, name, new Ajv2020({ strict: false }).validate(property, value)]).toEqual([
        component.id,
        name,
        true,
      ]);
    }
  }
});

test('an id is registered once', () => {
  expect(() => createRegistry([orderTotal as Component, orderTotal as Component])).toThrow(/order_total/);
});
