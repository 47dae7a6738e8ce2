import type { NewAuditEntry } from '@order-automation/contracts';
import { buildAuditEntry } from '@order-automation/testing';
import fc from 'fast-check';
import type { EntryFacts } from '../records/entry';
import { facetOf } from '../records/facets';
import { parentOf, representativeOf, visible, visibleCount, withEntries } from './process-row';

type Given = Partial<NewAuditEntry> & { readonly id?: number };

function facts({ id = 1, rule_id, timestamp = '2026-03-01T12:00:00.000Z', ...overrides }: Given = {}): EntryFacts {
  const entry = buildAuditEntry({ event_type: 'webhook_received', source: 'webhook', ...overrides });
  return {
    _id: id,
    record_id: id,
    process_id: 'proc_1',
    timestamp,
    facet: facetOf(entry),
    ...(rule_id ? { rule_id } : {}),
  };
}

test.each<[string, Given, Given]>([
  [
    'a failed action before the outcome',
    { event_type: 'action_failed', status: 'error' },
    { event_type: 'process_completed' },
  ],
  [
    'a failed action before an outcome in error',
    { event_type: 'action_failed', status: 'error' },
    { event_type: 'process_completed', status: 'error' },
  ],
  [
    'any error before a success',
    { event_type: 'webhook_received', status: 'error' },
    { event_type: 'process_completed' },
  ],
  ['the outcome before a rule that matched', { event_type: 'process_completed' }, { event_type: 'rule_evaluation' }],
  ['a rule that matched before its action', { event_type: 'rule_evaluation' }, { event_type: 'action_executed' }],
  [
    'a rule that matched before one that did not',
    { event_type: 'rule_evaluation' },
    { event_type: 'rule_evaluation', status: 'skipped' },
  ],
  ['a rule that did not match before the reception', { event_type: 'rule_evaluation', status: 'skipped' }, {}],
  ['anything before debug', {}, { event_type: 'action_failed', status: 'error', is_debug: true }],
  ['anything before a test', {}, { event_type: 'action_failed', status: 'error', is_test: true }],
  [
    'what was done before the event that followed from it and did nothing',
    { event_type: 'process_completed' },
    { event_type: 'process_completed', status: 'info' },
  ],
  ['the latest of equal ones', { id: 3 }, { id: 2 }],
])('stands for its process: %s', (_, more, less) => {
  const [a, b] = [facts({ id: 1, ...more }), facts({ id: 2, ...less })];
  expect(representativeOf([a, b])).toBe(a);
  expect(representativeOf([b, a])).toBe(a);
});

test('parents: an action follows from the evaluation of its rule, the rest from the first entry', () => {
  const entries = [
    facts({ id: 4, timestamp: '2026-03-01T12:00:00.000Z' }),
    facts({
      id: 2,
      timestamp: '2026-03-01T12:00:01.000Z',
      event_type: 'rule_evaluation',
      status: 'success',
      rule_id: 7,
    }),
    facts({ id: 3, timestamp: '2026-03-01T12:00:02.000Z', event_type: 'action_executed', rule_id: 7 }),
    facts({ id: 5, timestamp: '2026-03-01T12:00:02.000Z', event_type: 'action_failed', rule_id: 8 }),
  ];
  const row = withEntries(undefined, entries);
  expect(entries.map((entry) => parentOf(entry, row))).toEqual([null, 4, 2, 4]);
  expect(parentOf(facts({ id: 9 }), undefined)).toBeNull();
});

const anyEntry = fc.record({
  is_test: fc.boolean(),
  is_debug: fc.boolean(),
  timestamp: fc.integer({ min: 0, max: 1e12 }).map((time) => new Date(time).toISOString()),
  event_type: fc.constantFrom('rule_evaluation' as const, 'action_failed' as const, 'webhook_received' as const),
  status: fc.constantFrom('success' as const, 'error' as const, 'info' as const),
});

test('a row does not depend on the order of the entries, and is visible exactly when an entry is', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      (some, include_test, include_debug) => {
        const entries = some.map((entry, index) => facts({ ...entry, id: index + 1 }));
        const row = withEntries(undefined, entries);
        expect(withEntries(undefined, [...entries].reverse())).toEqual(row);
        const shown = some.filter(
          ({ is_test, is_debug }) => (include_test || !is_test) && (include_debug || !is_debug),
        );
        expect(visible({ include_test, include_debug }).includes(row.visibility)).toBe(shown.length > 0);
        expect(visibleCount(row.counts, { include_test, include_debug })).toBe(shown.length);
        expect(row.started_at).toBe(some.map(({ timestamp }) => timestamp).sort()[0]);
      },
    ),
  );
});

test('a row that grows entry by entry is the row of all of them', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 10 }), fc.nat({ max: 9 }), (some, cut) => {
      const entries = some.map((entry, index) => facts({ ...entry, id: index + 1, rule_id: (index % 3) + 1 }));
      const [head, tail] = [entries.slice(0, cut), entries.slice(cut)];
      const grown = [head, tail]
        .filter((part) => part.length > 0)
        .reduce<ReturnType<typeof withEntries> | undefined>((row, part) => withEntries(row, part), undefined);
      expect({ ...grown, revision: 1 }).toEqual(withEntries(undefined, entries));
    }),
  );
});
