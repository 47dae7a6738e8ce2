import { auditEntry, derivedId, type NewAuditEntry } from '@order-automation/contracts';
import { differenceText, ruleDifference, ruleText } from '../documents/rule-changes';
import type { SavedVersion } from '../documents/rule-versions';

export type RuleChange = 'created' | 'updated' | 'deleted' | 'restored';

export function changeOf({ before, after }: SavedVersion): RuleChange {
  if (before === null) return 'created';
  return after.deleted ? 'deleted' : before.deleted ? 'restored' : 'updated';
}

type Said = Pick<NewAuditEntry, 'event_type' | 'summary' | 'details'>;

function sayingOf({ before, after }: SavedVersion): Said {
  const { rule_id, name, rule, saved_by: user } = after;
  const named = `Rule "${name}" (${rule_id})`;
  if (before === null) {
    const summary = `${named} was created by ${user}: ${ruleText(rule)}`;
    return { event_type: 'rule_created', summary, details: { rule } };
  }
  if (after.deleted)
    return { event_type: 'rule_deleted', summary: `${named} was deleted by ${user}`, details: { rule: before.rule } };
  if (before.deleted) {
    const summary = `${named}, which was deleted, was restored by ${user}; it is disabled`;
    return { event_type: 'rule_modified', summary, details: { rule, restored: true } };
  }
  const changes = ruleDifference(before, after);
  const summary = `${named} was saved by ${user}: ${differenceText(changes)}`;
  return { event_type: 'rule_modified', summary, details: { changes } };
}

/** The entry about a save. A page address tells that somebody sat before it; without one a program called. */
export function entryOf(saved: SavedVersion): NewAuditEntry {
  const { rule_id, version, saved_at, saved_by, actor } = saved.after;
  const { event_type, summary, details } = sayingOf(saved);
  const page = actor?.page_url ?? null;
  return auditEntry({
    uid: derivedId('rule', rule_id, version, event_type),
    timestamp: saved_at,
    event_type,
    source: page === null ? 'api' : 'manual',
    summary,
    process_id: actor?.process_id ?? '',
    rule_id,
    details: {
      user: saved_by,
      action: actor?.action?.slice(0, 200) ?? null,
      user_agent: actor?.user_agent?.slice(0, 500) ?? null,
      page_url: page?.slice(0, 500) ?? null,
      version,
      ...details,
    },
  });
}
