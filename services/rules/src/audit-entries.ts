import { type Actor, auditEntry, derivedId, type NewAuditEntry } from '@order-automation/contracts';
import { differenceText, ruleDifference, ruleText } from './rule-changes';
import type { RuleFields } from './rule-documents';

type Saved = { readonly id: number; readonly version: number; readonly at: string; readonly actor: Actor };
type Said = Pick<NewAuditEntry, 'event_type' | 'summary' | 'details'>;

/** A page address tells that somebody sat before it; without one a program called. */
function entry({ id, version, at, actor }: Saved, { event_type, summary, details }: Said): NewAuditEntry {
  return auditEntry({
    uid: derivedId('rule', id, version, event_type),
    timestamp: at,
    event_type,
    source: actor.page_url === null ? 'api' : 'manual',
    summary,
    process_id: actor.process_id,
    rule_id: id,
    details: {
      user: actor.user,
      action: actor.action?.slice(0, 200) ?? null,
      user_agent: actor.user_agent?.slice(0, 500) ?? null,
      page_url: actor.page_url?.slice(0, 500) ?? null,
      version,
      ...details,
    },
  });
}

export function createdEntry(saved: Saved, after: RuleFields): NewAuditEntry {
  const summary = `Rule "${after.name}" (${saved.id}) was created by ${saved.actor.user}: ${ruleText(after.rule)}`;
  return entry(saved, { event_type: 'rule_created', summary, details: { rule: after.rule } });
}

export function modifiedEntry(saved: Saved, before: RuleFields, after: RuleFields): NewAuditEntry {
  const changes = ruleDifference(before, after);
  const summary = `Rule "${after.name}" (${saved.id}) was saved by ${saved.actor.user}: ${differenceText(changes)}`;
  return entry(saved, { event_type: 'rule_modified', summary, details: { changes } });
}

export function restoredEntry(saved: Saved, after: RuleFields): NewAuditEntry {
  const summary = `Rule "${after.name}" (${saved.id}), which was deleted, was restored by ${saved.actor.user}; it is disabled`;
  return entry(saved, { event_type: 'rule_modified', summary, details: { rule: after.rule, restored: true } });
}

export function deletedEntry(saved: Saved, before: RuleFields): NewAuditEntry {
  const summary = `Rule "${before.name}" (${saved.id}) was deleted by ${saved.actor.user}`;
  return entry(saved, { event_type: 'rule_deleted', summary, details: { rule: before.rule } });
}
