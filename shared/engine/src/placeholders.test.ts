import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { context, facts } from '../test/fixtures';
import { addOrderNote } from './components/add-order-note';
import { placeholderNames, placeholderViolations, template, withPersonal } from './placeholders';
import type { Situation } from './situation';

const situation = (overrides: Record<string, unknown> = {}): Situation => ({
  ...facts({ context: context(overrides), now: Date.parse('2026-11-21T10:00:00Z') }),
  rule: { id: 3, name: 'Big orders' },
});

test('placeholders are filled from the order, the event and the rule', () => {
  const render = template(
    '{{order.total}} {{ order.currency }} of {{customer.name}} by {{event.gateway}} ({{rule.name}})',
  );
  expect(render(situation())).toBe('49.00 EUR of Ada Example by gateway_card (Big orders)');
});

// README.md, SHOP_TIME_ZONE: the time zone "for `date_created` and the like of orders".
test('the date of an order is by the clocks of the shop', () => {
  const on = situation({ date_created: '2026-07-01T22:30:00.123Z' });
  expect(template('{{order.date_created}}')({ ...on, timeZone: 'Europe/Berlin' })).toBe('2026-07-02 00:30:00');
});

test('pieces of a whole are counted without the noise of floating point', () => {
  const line_items = [0.1, 0.2].map((quantity) => ({ product_id: 11, quantity }));
  expect(template('{{order.item_count}}')(situation({ line_items }))).toBe('0.3');
});

test('every placeholder of the list renders, also without an occurrence', () => {
  for (const name of placeholderNames) {
    expect(placeholderViolations('note_text', `{{${name}}}`)).toEqual([]);
    expect(template(`{{${name}}}`)({ ...situation(), occurrence: null })).not.toContain('{{');
  }
});

test('the guide lists every placeholder', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/guide/first-rule.md'), 'utf8');
  const listed = new Set([...guide.matchAll(/`\{\{([a-z_.]+)\}\}`/g)].map(([, name]) => name));
  expect([...listed]).toEqual(placeholderNames);
});

test.each([
  ['{{order.secret}}', 'unknown placeholder {{order.secret}}'],
  ['{{}}', 'unknown placeholder {{}}'],
  ['{{constructor}}', 'unknown placeholder {{constructor}}'],
  ['{{__proto__}}', 'unknown placeholder {{__proto__}}'],
  ['total {{order.total', 'a placeholder is not closed: write it as {{order.total}}'],
  ['total order.total}}', 'a placeholder is not closed: write it as {{order.total}}'],
])('%s is a violation', (text, message) => {
  expect(placeholderViolations('note_text', text)).toEqual([{ path: 'note_text', message }]);
});

test('values are put in as they are, and never expanded again', () => {
  const billing = { first_name: '{{order.total}}', last_name: '$& $1 <b>' };
  expect(template('Hi {{customer.name}}!')(situation({ billing }))).toBe('Hi {{order.total}} $& $1 <b>!');
});

test('what a text tells of the customer is known, the longest first; addresses are masked elsewhere (decisions.md section 7)', () => {
  const personalOf = (value: string) => withPersonal({ value }, () => ({}))(situation());
  expect(personalOf('{{customer.first_name}}: {{ customer.name }}, {{customer.email}}')).toEqual({
    personal: ['Ada Example', 'Ada'],
  });
  expect(personalOf('{{order.total}} {{customer.email}}')).toEqual({});
});

test('text without placeholders stays as it is; no text renders beyond 10,000 characters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      fc.pre(!text.includes('{{'));
      expect(template(text)(situation())).toBe(text);
    }),
  );
  const long = template('{{customer.first_name}}'.repeat(5))(situation({ billing: { first_name: 'x'.repeat(9_000) } }));
  expect(long).toHaveLength(10_000);
  expect(long.endsWith('…')).toBe(true);
});

test('a note says for whom it is and, when asked, at what time', () => {
  const stamped = addOrderNote.compile({ note_text: 'Paid', add_timestamp: true })(situation());
  const command = { kind: 'add_note', note: '[2026-11-21 10:00:00 UTC] Paid', customer_note: false };
  expect(stamped.effect).toEqual({ kind: 'order', command });
  expect(stamped.describe.message).toBe('add a private note: [2026-11-21 10:00:00 UTC] Paid');
  const toCustomer = addOrderNote.compile({ note_text: 'Hi', is_customer_note: true })(situation());
  expect(toCustomer.effect).toMatchObject({ command: { kind: 'add_note', note: 'Hi', customer_note: true } });
});
