import { z } from 'zod';
import { check } from './check';
import { connectionRequests } from './messages/connections';

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  enabled: z.boolean().optional(),
  position: z.int().min(0).max(9).optional(),
  tags: z.array(z.string()).max(2).optional(),
  mode: z.enum(['preview', 'apply']).optional(),
  at: z.iso.datetime().optional(),
  inner: z.strictObject({ amount: z.number().positive() }).optional(),
  either: z.union([z.string(), z.object({ a: z.string() })]).optional(),
  price: z.string().regex(/^\d+$/, 'must be digits').optional(),
});

const violationsOf = (value: unknown) => {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.violations.map(({ path, message }) => `${path} ${message}`);
};

test('what fits is returned', () => {
  expect(check(schema, { name: 'a' })).toEqual({ ok: true, value: { name: 'a' } });
});

test('every violation at once, in our own words', () => {
  const value = {
    name: 'four',
    enabled: 'yes',
    position: 1.5,
    tags: ['a', 'b', 'c'],
    mode: 'try',
    at: 'today',
    inner: { amount: 0 },
    either: 5,
    price: 'x',
  };
  expect(violationsOf(value)).toEqual([
    'name must have at most 3 characters',
    'enabled must be true or false',
    'position must be a whole number',
    'tags must have at most 2 items',
    'mode must be one of preview, apply',
    'at must be a date and time in UTC such as 2026-01-15T10:00:00Z',
    'inner.amount must be greater than 0',
    'either must be in one of the documented forms',
    'price must be digits',
  ]);
});

test.each([
  [{}, 'name is required'],
  [{ name: '' }, 'name must not be empty'],
  [{ name: 'a', enabld: true }, 'enabld is not a known field; did you mean enabled?'],
  [{ name: 'a', inner: { amuont: 1, amount: 1 } }, 'inner.amuont is not a known field; did you mean amount?'],
  [{ name: 'a', zebra: 1 }, 'zebra is not a known field'],
  [[], ' must be an object'],
  [undefined, ' is required'],
])('%j: %s', (value, violation) => {
  expect(violationsOf(value)).toEqual([violation]);
});

test('what is missing is called so, whatever message its schema has', () => {
  const checked = check(z.object({ from: z.string('must be a day'), to: z.enum(['a'], 'must be a') }), { to: 5 });
  expect(checked).toEqual({
    ok: false,
    violations: [
      { path: 'from', message: 'is required' },
      { path: 'to', message: 'must be a' },
    ],
  });
});

test('unknown names by the thousand cost little', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]));
  const started = performance.now();
  expect(violationsOf({ name: 'a', ...many })).toHaveLength(50_000);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('of what the types and paths of a sender may be, each is named', () => {
  const { fields } = connectionRequests['intake.connection.create.v1'].input.shape;
  const checked = check(fields, { types: { paid: 'payment_complet' }, paths: { type: 'event' } });
  const messages = checked.ok ? [] : checked.violations.map(({ path, message }) => `${path} ${message}`);
  expect(messages).toEqual([
    'paths.type must be a JSON pointer such as /event/type, or a header such as header:x-topic',
    expect.stringMatching(/^types\.paid must be one of payment_created, .*, no_order$/),
  ]);
});

test('violations are named in the words of the body', () => {
  const schema = z.object({ rule: z.object({ conditions: z.array(z.string()) }) });
  const checked = check(schema, { rule: { conditions: ['a', 1] } });
  expect(checked).toMatchObject({ violations: [{ path: 'rule.conditions.1' }] });
});

test('violations are in words for people', () => {
  const schema = z.object({ id: z.string(), total: z.number(), name: z.string().regex(/^a/, 'must begin with an a') });
  expect(check(schema, { id: 101, name: 'b' })).toEqual({
    ok: false,
    violations: [
      { path: 'id', message: 'must be text' },
      { path: 'total', message: 'is required' },
      { path: 'name', message: 'must begin with an a' },
    ],
  });
});
