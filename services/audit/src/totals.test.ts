import type { AuditFilters } from '@order-automation/contracts';
import fc from 'fast-check';
import { facetOf } from './facets';
import { countIn, seek } from './totals';
import { countBundle, newCells } from './totals-cells';

const anyEntry = fc.record({
  status: fc.constantFrom('success' as const, 'error' as const),
  event_type: fc.constantFrom('rule_evaluation' as const, 'webhook_received' as const),
  source: fc.constantFrom('webhook' as const, 'manual' as const),
  rule_id: fc.constantFrom(null, 1, 2),
  is_test: fc.boolean(),
  is_debug: fc.boolean(),
});
type Entry = typeof anyEntry extends fc.Arbitrary<infer T> ? T : never;
const anyFilters: fc.Arbitrary<AuditFilters> = fc.record(
  {
    include_test: fc.boolean(),
    include_debug: fc.boolean(),
    status: fc.constantFrom('success' as const, 'error' as const),
    event_type: fc.constantFrom('rule_evaluation' as const, 'webhook_received' as const),
    source: fc.constantFrom('webhook' as const, 'manual' as const),
    rule_id: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['include_test', 'include_debug'] },
);

const matches = (entry: Entry, filters: AuditFilters): boolean =>
  (filters.include_test || !entry.is_test) &&
  (filters.include_debug || !entry.is_debug) &&
  (['status', 'event_type', 'source', 'rule_id'] as const).every(
    (name) => filters[name] === undefined || filters[name] === entry[name],
  );

/**
 * Bundles of entries with ids 0, 1, 2 … in ranges of four: one counts where its first entry is. The last ranges are open and make the
 * tail.
 */
const size = 4;
const bundles = fc.array(fc.tuple(fc.constantFrom(null, 1, 2), fc.array(anyEntry, { minLength: 1, maxLength: 6 })), {
  maxLength: 12,
});
const given = fc.tuple(bundles, anyFilters, fc.nat({ max: 45 }), fc.nat({ max: 10 }));

function cellsOf(some: readonly { _id: number; rule: number | null; entries: readonly Entry[] }[]) {
  const cells = newCells();
  for (const { _id, rule, entries } of some) {
    const parts = entries.map((entry) => ({ facet: facetOf(entry), order: false, rule: entry.rule_id !== null }));
    const document = rule === null ? { _id } : { _id, rule_id: rule };
    countBundle(cells, { document, outline: { _id: '', parts } });
  }
  return cells.all();
}

test('counting by cells and seeking through ranges give the page that walking every entry gives', () => {
  fc.assert(
    fc.property(given, ([some, filters, offset, closed]) => {
      let next = 0;
      const numbered = some.map(([rule, list]) => {
        const _id = next;
        next += list.length;
        // What is about a rule is about that of its bundle.
        const entries = list.map((entry) => ({ ...entry, rule_id: entry.rule_id === null ? null : rule }));
        return { _id, rule, entries };
      });
      const boundary = closed * size;
      const matching = numbered
        .flatMap(({ _id, entries }) => entries.map((entry, index) => ({ _id, index, entry })))
        .filter(({ entry }) => matches(entry, filters))
        .reverse();
      const tail = matching.filter(({ _id }) => _id >= boundary).length;
      const ranges = Array.from({ length: closed }, (_, range) => ({
        _id: range,
        cells: cellsOf(numbered.filter(({ _id }) => Math.floor(_id / size) === range)),
      })).reverse();
      const total =
        tail +
        countIn(
          ranges.flatMap(({ cells }) => cells),
          filters,
        );
      expect(total).toBe(matching.length);
      const { from = 0, below, skip } = seek(offset, tail, ranges, filters, size);
      const between = matching.filter(({ _id }) => _id >= from && (below === undefined || _id < below));
      expect(between.length > skip).toBe(offset < total);
      const page = matching.filter(({ _id }) => below === undefined || _id < below).slice(skip, skip + 5);
      expect(page).toEqual(matching.slice(offset, offset + 5));
    }),
    { numRuns: 500 },
  );
});
