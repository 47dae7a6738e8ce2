import { newAuditEntrySchema, type RuleData } from '@order-automation/contracts';
import { createdEntry, deletedEntry, modifiedEntry } from './audit-entries';

const rule: RuleData = {
  trigger: { id: 'a', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [],
};
const fields = { name: 'Big', enabled: true, position: 0, stop_processing: false, rule };
const actor = { user: 'admin', process_id: 'proc_1', action: 'save', user_agent: 'x'.repeat(2_000), page_url: null };
const saved = { id: 7, version: 2, at: '2026-01-15T10:00:00.000Z', actor };

test('entries say who, when and what changed, and fit the contract', () => {
  const entry = modifiedEntry(saved, fields, { ...fields, rule: { ...rule, trigger: { id: 'b', settings: {} } } });
  expect(newAuditEntrySchema.parse(entry)).toMatchObject({
    timestamp: saved.at,
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
  expect(createdEntry(saved, fields).summary).toContain('was created by admin: trigger a; conditions: none');
  expect(deletedEntry(saved, fields).summary).toBe('Rule "Big" (7) was deleted by admin');
});

test('the same save has the same uid, another version another one', () => {
  expect(deletedEntry(saved, fields).uid).toBe(deletedEntry(saved, fields).uid);
  expect(deletedEntry({ ...saved, version: 3 }, fields).uid).not.toBe(deletedEntry(saved, fields).uid);
});

test('a page makes it manual; what is too long is cut', () => {
  expect(createdEntry({ ...saved, actor: { ...actor, page_url: '/rules/7' } }, fields).source).toBe('manual');
  const long = createdEntry(saved, { ...fields, name: 'n'.repeat(5_000) });
  expect(newAuditEntrySchema.safeParse(long).success).toBe(true);
  expect(long.details.user_agent).toHaveLength(500);
});
