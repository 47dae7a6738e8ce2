import { newAuditEntrySchema, type RuleData } from '@order-automation/contracts';
import type { RuleVersionDocument } from '../documents/rule-versions';
import { entryOf } from './audit-entries';

const rule: RuleData = {
  trigger: { id: 'a', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [],
};
const actor = { user: 'admin', process_id: 'proc_1', action: 'save', user_agent: 'x'.repeat(2_000), page_url: null };
const before: RuleVersionDocument = {
  _id: '7:1',
  rule_id: 7,
  version: 1,
  name: 'Big',
  enabled: true,
  position: 0,
  stop_processing: false,
  rule,
  deleted: false,
  saved_at: '2026-01-15T10:00:00.000Z',
  saved_by: 'admin',
  actor,
};
const after = { ...before, version: 2 };
const deleted = { before, after: { ...after, deleted: true } };

test('entries say who, when and what changed, and fit the contract', () => {
  const entry = entryOf({ before, after: { ...after, rule: { ...rule, trigger: { id: 'b', settings: {} } } } });
  expect(newAuditEntrySchema.parse(entry)).toMatchObject({
    timestamp: before.saved_at,
    event_type: 'rule_modified',
    rule_id: 7,
    process_id: 'proc_1',
    source: 'api',
    summary: 'Rule "Big" (7) was saved by admin: trigger a → b',
    details: {
      user: 'admin',
      action: 'save',
      version: 2,
      changes: { trigger: { from: { id: 'a' }, to: { id: 'b' } } },
    },
  });
  expect(entryOf({ before: null, after: before }).summary).toContain(
    'was created by admin: trigger a; conditions: none',
  );
  expect(entryOf(deleted).summary).toBe('Rule "Big" (7) was deleted by admin');
  const restored = entryOf({ before: deleted.after, after: { ...after, version: 3, enabled: false } });
  expect(restored.summary).toBe('Rule "Big" (7), which was deleted, was restored by admin; it is disabled');
});

test('the same save has the same uid, another version another one', () => {
  expect(entryOf(deleted).uid).toBe(entryOf({ ...deleted }).uid);
  expect(entryOf({ ...deleted, after: { ...deleted.after, version: 3 } }).uid).not.toBe(entryOf(deleted).uid);
});

test('a page makes it manual; what is too long is cut', () => {
  const ofPage = { ...before, actor: { ...actor, page_url: '/rules/7' } };
  expect(entryOf({ before: null, after: ofPage }).source).toBe('manual');
  const long = entryOf({ before: null, after: { ...before, name: 'n'.repeat(5_000) } });
  expect(newAuditEntrySchema.safeParse(long).success).toBe(true);
  expect(long.details.user_agent).toHaveLength(500);
});
