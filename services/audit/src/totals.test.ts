import type { AuditFilters } from '@order-automation/contracts';
import fc from 'fast-check';
import { facetOf } from './facets';
import { countIn, seek } from './totals';
import { cellsOf } from './totals-cells';

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

/** Entries with ids 0, 1, 2 … in ranges of four; the last ranges are open and make the tail. */
const size = 4;
const given = fc.tuple(fc.array(anyEntry, { maxLength: 40 }), anyFilters, fc.nat({ max: 45 }), fc.nat({ max: 10 }));

test('counting by cells and seeking through ranges give the page that walking every entry gives', () => {
  fc.assert(
    fc.property(given, ([some, filters, offset, closed]) => {
      const entries = some.map((entry, _id) => ({ _id, facet: facetOf(entry), rule_id: entry.rule_id, entry }));
      const boundary = closed * size;
      const matching = entries.filter(({ entry }) => matches(entry, filters)).reverse();
      const tail = matching.filter(({ _id }) => _id >= boundary).length;
      const ranges = Array.from({ length: closed }, (_, range) => ({
        _id: range,
        cells: cellsOf(entries.filter(({ _id }) => Math.floor(_id / size) === range)),
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
