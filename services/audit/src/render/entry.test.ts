import { type AuditEntry, auditEntrySchema } from '@order-automation/contracts';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { renderEntry } from './entry';

const entry = (overrides: Partial<AuditEntry> = {}): AuditEntry =>
  auditEntrySchema.parse({
    id: 7,
    timestamp: '2026-02-01T10:00:00.000Z',
    status: 'success',
    event_type: 'rule_evaluation',
    source: 'webhook',
    summary: 'Rule "Finish downloads" matched.',
    order_id: 1042,
    process_id: 'proc_1',
    rule_id: 3,
    duration_ms: 4,
    is_test: false,
    is_debug: false,
    details: {},
    parent_id: null,
    ...overrides,
  });

type Node = DefaultTreeAdapterMap['node'];

/** Every element with its attributes' names, as a real parser sees them. */
function shape(node: Node): string[] {
  const own = 'tagName' in node ? [`${node.tagName}[${node.attrs.map(({ name }) => name).join(',')}]`] : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(shape)] : own;
}

test('an entry says what happened, when, to what, and each condition with what was wanted and found', () => {
  const { html } = renderEntry(
    entry({
      details: {
        conditions: [
          {
            id: 'order_total',
            label: 'Order total',
            result: 'fail',
            expected: 'more than 50.00',
            actual: '49.00',
            reason: '',
          },
        ],
        event: { amount: '49.00', authenticated: true },
      },
    }),
  );
  expect(html).toContain('Rule &quot;Finish downloads&quot; matched.');
  expect(html).toContain('<time datetime="2026-02-01T10:00:00.000Z">2026-02-01 10:00:00 UTC</time>');
  expect(html).toContain('order 1042');
  expect(html).toMatch(/<td data-label="Expected">more than 50.00<\/td><td data-label="Actual">49.00<\/td>/);
  expect(html).toContain('<dt>Authenticated</dt><dd>yes</dd>');
  expect(html).not.toContain('Reason');
});

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</h3></article><style>*{display:none}</style>',
  '<!--',
  '&lt;b&gt;',
  '\u0000<svg/onload=alert(1)>',
  ']]>',
  '</textarea><iframe src=javascript:alert(1)>',
];

test('markup in any text adds no element and no attribute', () => {
  const plain = (text: string) =>
    entry({
      summary: text,
      process_id: 'proc_1',
      details: {
        conditions: [{ label: text, result: 'pass', expected: text }],
        note: text,
        list: [text, text],
        deep: { a: { b: text } },
      },
    });
  const wanted = shape(parseFragment(renderEntry(plain('plain')).html));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...payloads), fc.string({ minLength: 1 })), (text) => {
      expect(shape(parseFragment(renderEntry(plain(`x${text}`)).html))).toEqual(wanted);
      const named = entry({ details: { [text]: 'value' } });
      expect(
        shape(parseFragment(renderEntry(named).html)).filter((one) =>
          /script|img|svg|iframe|on/.test(one.split('[')[1] ?? ''),
        ),
      ).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
