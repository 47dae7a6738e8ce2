import type { Draft } from './draft';
import { versionChanges } from './version-changes';

const version = (name: string, rule: Partial<Draft['rule']>, stop_processing = false): Draft => ({
  name,
  stop_processing,
  rule: {
    trigger: { id: 'payment_complete', settings: {} },
    conditions: [],
    primaryAction: null,
    secondaryActions: [],
    ...rule,
  },
});
const note = (note_text: string) => ({ id: 'add_order_note', settings: { note_text } });
const total = (amount: number) => ({ id: 'order_total', settings: { operator: 'gte', amount } });
const changes = (before: Draft, after: Draft) =>
  versionChanges(before, after, (id) => (id === 'order_total' ? 'Order total' : undefined)).map(
    ({ field, from, to }) => `${field}: ${from ?? '–'} → ${to ?? '–'}`,
  );

test('two versions of a rule beside each other, value by value', () => {
  const before = version('Old', {
    conditions: [total(20), { id: 'country', settings: { countries: ['DE', 'AT'] } }],
    secondaryActions: [note('a'), note('b')],
  });
  expect(changes(before, before)).toEqual([]);
  const after = version(
    'New',
    {
      conditions: [total(30), { id: 'country', settings: { countries: ['DE'] } }],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: [note('b'), note('c')],
    },
    true,
  );
  expect(changes(before, after)).toEqual([
    'Name: Old → New',
    'Order total, Amount: 20 → 30',
    'Country, Countries: DE, AT → DE',
    'Then: – → Change status to completed',
    'Add order note, Note text: a → c',
    'Rules after it, when it matched: Run → Do not run',
  ]);
  expect(changes(after, version('New', { trigger: { id: 'order_completed', settings: {} } }, true))).toEqual([
    'When: Payment complete → –',
    'When: – → Order completed',
    'If: Order total → –',
    'If: Country → –',
    'Then: Change status to completed → –',
    'And also: Add order note → –',
    'And also: Add order note → –',
  ]);
});
