import { auditEventTypeSchema, auditSourceSchema, auditStatusSchema } from '@order-automation/contracts';
import fc from 'fast-check';
import { aspectsOf, facetOf, isShown } from './facets';

const anyAspects = fc.record({
  source: fc.constantFrom(...auditSourceSchema.options),
  status: fc.constantFrom(...auditStatusSchema.options),
  event_type: fc.constantFrom(...auditEventTypeSchema.options),
  is_test: fc.boolean(),
  is_debug: fc.boolean(),
});

test('a facet is one word for what it was made of', () => {
  fc.assert(fc.property(anyAspects, (aspects) => expect(aspectsOf(facetOf(aspects))).toMatchObject(aspects)));
  const rule = { source: 'webhook', status: 'success', event_type: 'rule_evaluation', is_debug: false } as const;
  expect(facetOf({ ...rule, is_test: false })).toBe('webhook success rule_evaluation');
  expect(facetOf({ ...rule, is_test: true })).toBe('webhook success rule_evaluation test');
});

test.each([
  [{}, true],
  [{ status: ['success' as const, 'info' as const], source: ['webhook' as const] }, true],
  [{ status: ['error' as const] }, false],
  [{ event_type: ['action_failed' as const] }, false],
  [{ source: ['api' as const] }, false],
])('%j shows it: %s', (filters, shown) => {
  const flags = { include_debug: false, include_test: false };
  expect(isShown('webhook success rule_evaluation', { ...flags, ...filters })).toBe(shown);
  for (const kind of ['test', 'debug', 'both']) {
    const facet = `webhook success rule_evaluation ${kind}`;
    expect(isShown(facet, { ...flags, ...filters })).toBe(false);
    expect(isShown(facet, { ...filters, include_debug: true, include_test: true })).toBe(shown);
    expect(isShown(facet, { ...filters, include_debug: true, include_test: false })).toBe(shown && kind === 'debug');
  }
});
