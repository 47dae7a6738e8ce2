import { type ConnectionRecord, newAuditEntrySchema } from '@order-automation/contracts';
import {
  connectionChanged,
  gatewayPaused,
  importEnded,
  replayEnded,
  secretGiven,
  secretRemoved,
} from './change-entries';

const connection: ConnectionRecord = {
  id: 'conn_1',
  name: 'erp',
  gateway: 'generic',
  enabled: true,
  paused: false,
  auth_method: 'hmac',
  hmac_header: 'x-signature',
  encoding: 'hex',
  prefix: '',
  paths: {},
  secret_last4: 'a1b2',
  secrets: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  last_event_at: null,
  last_refusal: null,
  counts: { accepted: 0, duplicates: 0, refused: 0 },
};

test('a change says what was and what is, and of a secret only that there is a new one', () => {
  const after = {
    ...connection,
    enabled: false,
    prefix: 'sha256=',
    secret_last4: 'ffff',
    paths: { order: '/order/id' },
  };
  expect(connectionChanged('ada', connection, after, true)?.summary).toBe(
    'ada disabled and changed the connection erp: prefix from none to "sha256="; order in paths from none to "/order/id"; it has a new secret.',
  );
  expect(connectionChanged('ada', connection, { ...connection, paused: true }, false)?.summary).toBe(
    'ada paused the connection erp.',
  );
  expect(
    connectionChanged('ada', connection, { ...connection, counts: { accepted: 1, duplicates: 0, refused: 0 } }, false),
  ).toBe(undefined);
});

test.each<[Partial<ConnectionRecord>, Partial<ConnectionRecord>, string]>([
  [
    { types: { CAPTURE: 'payment_pending', REFUND: 'payment_refunded' } },
    { types: { CAPTURE: 'payment_completed', REFUND: 'payment_refunded' } },
    'CAPTURE in types from "payment_pending" to "payment_completed"',
  ],
  [{}, { amount_unit: 'minor' }, 'amount unit from none to "minor"'],
  [{}, { tolerance: 600 }, 'tolerance from none to "600"'],
  [{ signed: '{body}' }, { signed: '{timestamp}{body}' }, 'signed from "{body}" to "{timestamp}{body}"'],
  [{ decimals: { CLP: 2, ISK: 2 } }, { decimals: { CLP: 2 } }, 'ISK in decimals from "2" to none'],
])('a change of %j to %j is said in words', (before, after, words) => {
  const summary = connectionChanged('ada', { ...connection, ...before }, { ...connection, ...after })?.summary;
  expect(summary).toBe(`ada changed the connection erp: ${words}.`);
});

test('a change is listed by field, so that it can be shown with what was before', () => {
  expect(connectionChanged('ada', connection, { ...connection, enabled: false, prefix: 'v1=' })?.details).toEqual({
    connection: 'erp',
    changes: [
      { field: 'enabled', from: 'true', to: 'false' },
      { field: 'prefix', from: '', to: 'v1=' },
    ],
  });
});

test('summaries count', () => {
  expect(gatewayPaused('ada', 'gateway_card', false, 1).summary).toBe(
    'ada resumed gateway_card; 1 waiting event went on to evaluation.',
  );
  const given = (overlapHours: number | null, environment?: 'ends' | 'stays') =>
    secretGiven('ada', 'gateway_card', { last4: 'abcd', overlapHours, environment }).summary;
  expect(given(0)).toBe('ada gave gateway_card a new secret (…abcd); the older ones are no longer valid.');
  expect(given(null)).toBe('ada gave gateway_card a new secret (…abcd); the older ones stay valid.');
  expect(given(24, 'ends')).toBe(
    'ada gave gateway_card a new secret (…abcd); the older ones, those of the environment included, stay valid for at most 24 h.',
  );
  expect(given(24, 'stays')).toBe(
    'ada gave gateway_card a new secret (…abcd); the older ones stay valid for at most 24 h; those of the environment stay valid.',
  );
  expect(secretRemoved('ada', 'the connection erp', 'abcd').summary).toBe(
    'ada removed the secret …abcd of the connection erp; it is no longer valid.',
  );
  const job = {
    id: 'rpl_1',
    state: 'cancelled' as const,
    filter: {},
    by: 'ada',
    matching: 1200,
    replayed: 500,
    started_at: connection.created_at,
    finished_at: null,
  };
  expect(replayEnded(job, 'bob').summary).toBe(
    'The replay that ada began was cancelled by bob: 500 of 1200 events were replayed.',
  );
  const imported = { gateway: 'generic', connection: 'erp', process_id: 'proc_1', by: 'ada', complete: false };
  const { summary } = importEnded({ ...imported, lines: 1, accepted: 1, duplicates: 0, refused: 0 });
  expect(summary).toBe(
    'The import of events of generic/erp by ada was broken off: 1 line, 1 accepted, 0 received before, 0 refused.',
  );
  expect(newAuditEntrySchema.shape.summary.parse(summary)).toBe(summary);
});
