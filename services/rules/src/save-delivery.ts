import { derivedId, message } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import type { RuleDocument } from './rule-documents';
import type { RuleVersionDocument } from './rule-versions';

/** Milliseconds that a save waits for audit to confirm. */
const auditTimeout = 1_500;

export function versionOf(document: RuleDocument): RuleVersionDocument {
  const { _id, version, name, enabled, position, stop_processing, rule, deleted, updated_at, updated_by } = document;
  return {
    _id: `${_id}:${version}`,
    rule_id: _id,
    version,
    name,
    enabled,
    position,
    stop_processing,
    rule,
    deleted,
    saved_at: updated_at,
    saved_by: updated_by,
  };
}

/**
 * The revision grows after the write and before the message: a reader that has heard of a revision sees that write.
 */
async function announce(document: RuleDocument, { bus, counters, clock }: RulesDeps): Promise<void> {
  const { _id: id, version, enabled, deleted } = document;
  const revision = await counters.ofSave({ id, version, enabled: enabled && !deleted });
  const change = deleted ? 'deleted' : version === 1 ? 'created' : 'updated';
  const data = { rule_id: id, revision, change } as const;
  const message_id = derivedId('rules.changed', id, version);
  await bus.publish(message('rules.changed.v1', data, { id: message_id, now: clock.now() }));
}

/**
 * What follows from a save: its immutable version, its entries in the outbox of the log, `rules.changed.v1`. All of it can be repeated; what could not be
 * delivered stays in the document. Resolves with whether the log confirmed the entries, and whether nothing is left. Rejects when the store is away.
 */
export async function deliverSave(
  document: RuleDocument,
  deps: RulesDeps,
): Promise<{ readonly audited: boolean; readonly complete: boolean }> {
  const { rules, versions, outbox, telemetry } = deps;
  const { _id, version, entries } = document;
  await versions.keep(versionOf(document));
  const records = entries.map((entry) => ({ uid: entry.uid, process_id: entry.process_id, entries: [entry] }));
  const announcing = async (): Promise<boolean> => {
    if (document.announced) return true;
    try {
      await announce(document, deps);
      return true;
    } catch (error) {
      telemetry.deferred('announcement', _id, error);
      return false;
    }
  };
  const [announced, audited] = await Promise.all([announcing(), outbox.addAndConfirm(records, auditTimeout)]);
  const pending_since = announced ? 0 : document.pending_since;
  await rules.markDelivered(_id, version, { announced, entries: [], pending_since });
  return { audited, complete: announced };
}
