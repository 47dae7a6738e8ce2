import { buildAuditEntry } from '@order-automation/testing';
import fc from 'fast-check';
import { bundleOf, entriesOf, factsOf, fitting } from './bundling';
import { facetOf } from './facets';

const few = fc.constantFrom(null, 1, 2);
const anyEntry = fc.record({ order_id: few, rule_id: few, duration_ms: few, is_test: fc.boolean() });

test('a bundle holds what is about one order and one rule at most, and gives it back as it was', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 40 }), (some) => {
      const entries = some.map((one) => buildAuditEntry({ process_id: 'proc_1', ...one }));
      const offered = entries.map((entry) => ({ entry }));
      for (let from = 0; from < entries.length; ) {
        const count = fitting(offered, from);
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(16);
        const inside = entries.slice(from, from + count);
        const parts = inside.map((entry) => ({
          facet: facetOf(entry),
          order: entry.order_id !== null,
          rule: entry.rule_id !== null,
        }));
        const bundle = bundleOf(inside, { id: 100 + from, n: 0, outline: 'o' }, (details) => details);
        const read = entriesOf(bundle, { _id: 'o', parts });
        expect(
          read.map(({ uid, order_id = null, rule_id = null, duration_ms = null }) => ({
            uid,
            order_id,
            rule_id,
            duration_ms,
          })),
        ).toEqual(inside.map(({ uid, order_id, rule_id, duration_ms }) => ({ uid, order_id, rule_id, duration_ms })));
        expect(read.map(({ id }) => id)).toEqual(inside.map((_, index) => 100 + from + index));
        expect(factsOf(bundle, { _id: 'o', parts })).toEqual(
          read.map(({ id, bundle: of, timestamp, facet, rule_id }) => ({ id, bundle: of, timestamp, facet, rule_id })),
        );
        from += count;
      }
    }),
  );
});
