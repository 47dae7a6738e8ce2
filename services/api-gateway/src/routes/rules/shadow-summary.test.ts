import type { AuditEntry, NewAuditEntry } from '@order-automation/contracts';
import { buildAuditEntry } from '@order-automation/testing';
import { shadowSummary } from './shadow-summary';

const entry = (id: number, over: Partial<NewAuditEntry>): AuditEntry => ({
  ...buildAuditEntry(over),
  id,
  parent_id: null,
});

const verdict = (id: number, matched: boolean, over: { order?: number; total?: string; version?: number } = {}) =>
  entry(id, {
    rule_id: 7,
    process_id: `p${id}`,
    order_id: over.order ?? id,
    status: 'info',
    event_type: 'rule_evaluation',
    timestamp: new Date(id * 1_000).toISOString(),
    details: {
      rule: { id: 7, name: 'A', version: over.version ?? 2 },
      shadow: {
        matched,
        actions: matched ? [{ id: 'add_order_tag', label: 'Add tag', message: 'add the tag a' }] : [],
        stop: false,
        total: over.total ?? '10.10',
        currency: 'EUR',
      },
    },
  });
const live = (id: number, process_id: string, matched: boolean) =>
  entry(id, {
    rule_id: 8,
    process_id,
    order_id: id,
    status: matched ? 'success' : 'skipped',
    event_type: 'rule_evaluation',
    timestamp: new Date(id * 1_000).toISOString(),
    details: { rule: { id: 8, name: 'B', version: 1 } },
  });

test('what would have been done is counted, each order once, of the version that was in shadow last', () => {
  const entries = [
    verdict(9, true, { order: 1 }),
    verdict(8, true, { order: 1 }),
    verdict(7, true, { order: 2, total: '0.05' }),
    verdict(6, false),
    verdict(5, true, { version: 1 }),
    live(4, 'p9', true),
  ];
  expect(shadowSummary(entries, [], 7, null)).toEqual({
    version: 2,
    since: '1970-01-01T00:00:06.000Z',
    events: 4,
    would_match: 3,
    actions: [{ id: 'add_order_tag', label: 'Add tag', count: 3 }],
    values: [{ currency: 'EUR', total: '10.15', orders: 2 }],
    refunded: 0,
    disputed: 0,
    against: null,
    disagreed: 0,
    disagreements: [],
  });
});

test('two rules disagree about a process in which exactly one of them matched, since the shadow began', () => {
  const entries = [
    live(16, 'elsewhere', true),
    live(14, 'p13', false),
    verdict(13, true),
    live(12, 'p11', true),
    verdict(11, true),
    live(10, 'p9', true),
    verdict(9, false),
    live(2, 'before', true),
  ];
  const { disagreed, disagreements } = shadowSummary(entries, [], 7, 8);
  expect(disagreed).toBe(3);
  expect(disagreements.map(({ process_id, matched_by }) => [process_id, matched_by])).toEqual([
    ['elsewhere', 8],
    ['p13', 7],
    ['p9', 8],
  ]);
});

// docs/guide/shadow.md: "Each order for which only one of both matched is listed".
test('of the first event in shadow, what a rule before it decided a moment earlier counts', () => {
  const entries = [verdict(10, true), live(9, 'p10', true), live(8, 'before', true)];
  expect(shadowSummary(entries, [], 7, 8)).toMatchObject({ since: '1970-01-01T00:00:10.000Z', disagreed: 0 });
});

test('of events that ran at the same time, what the other rule decided before the first in the log counts', () => {
  const at = (seconds: number, one: AuditEntry) => ({ ...one, timestamp: new Date(seconds * 1_000).toISOString() });
  const entries = [
    at(9, verdict(13, true)),
    at(7, live(12, 'p13', true)),
    at(8, verdict(11, true)),
    live(1, 'p11', true),
  ];
  expect(shadowSummary(entries, [], 7, 8).disagreements).toEqual([]);
});

const end = (id: number, order_id: number, over: Partial<NewAuditEntry>): AuditEntry =>
  entry(id, { order_id, event_type: 'process_completed', ...over });
const reported = (generic_type: string | null) => ({ details: { event: { id: 'evt_1', generic_type } } });

// docs/guide/shadow.md: "how many of them were refunded or disputed later".
test('orders that were refunded or disputed after the rule would have matched are counted once each', () => {
  const evaluations = [
    verdict(21, true, { order: 1 }),
    verdict(10, true, { order: 1 }),
    verdict(9, true, { order: 2 }),
  ];
  const ends = [
    end(30, 2, { event_type: 'refund_created' }),
    end(25, 1, reported('dispute_opened')),
    end(20, 1, reported('payment_refunded')),
    end(19, 1, reported('payment_refunded')),
    end(18, 3, reported('payment_refunded')),
    end(17, 2, reported(null)),
    end(5, 2, reported('dispute_opened')),
  ];
  expect(shadowSummary(evaluations, ends, 7, null)).toMatchObject({ refunded: 2, disputed: 1 });
});

test('a rule that was never in shadow has nothing to show', () => {
  expect(shadowSummary([live(1, 'p1', true)], [], 7, 8)).toMatchObject({
    version: null,
    since: null,
    events: 0,
    disagreed: 0,
  });
});
