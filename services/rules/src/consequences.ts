import type { Bus } from '@order-automation/bus';
import { derivedId, message } from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import type { Clock } from '@order-automation/service';
import type { Counters } from './counters';
import type { RuleDocument, Rules } from './rule-documents';
import type { RuleVersionDocument, RuleVersions } from './rule-versions';
import type { RulesTelemetry } from './telemetry';

/** Milliseconds that a save waits for audit to confirm. */
const auditTimeout = 1_500;

export type ConsequenceDeps = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly versions: RuleVersions;
  readonly counters: Counters;
  readonly telemetry: RulesTelemetry;
  readonly registry: Registry;
};

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
async function announce(document: RuleDocument, { bus, counters, clock }: ConsequenceDeps): Promise<void> {
  const revision = await counters.next('revision');
  const change = document.deleted ? 'deleted' : document.version === 1 ? 'created' : 'updated';
  const data = { rule_id: document._id, revision, change } as const;
  const id = derivedId('rules.changed', document._id, document.version);
  await bus.publish(message('rules.changed.v1', data, { id, now: clock.now() }));
}

async function audit(document: RuleDocument, { bus }: ConsequenceDeps): Promise<void> {
  await bus.request('audit.record.v1', { entries: document.entries }, { timeout: auditTimeout });
}

/**
 * Tells of a save what follows from it: its immutable version, the audit entries, `rules.changed.v1`. All of it can be repeated; what could not be
 * told stays in the document. Resolves with whether audit confirmed, and whether nothing is left. Rejects when the store is away.
 */
export async function settle(
  document: RuleDocument,
  deps: ConsequenceDeps,
): Promise<{ readonly audited: boolean; readonly complete: boolean }> {
  const { rules, versions, telemetry } = deps;
  const { _id, version } = document;
  await versions.keep(versionOf(document));
  const attempt = async (what: 'audit' | 'announcement', done: boolean, act: () => Promise<void>): Promise<boolean> => {
    if (done) return true;
    try {
      await act();
      return true;
    } catch (error) {
      telemetry.deferred(what, _id, error);
      return false;
    }
  };
  const [announced, audited] = await Promise.all([
    attempt('announcement', document.announced, () => announce(document, deps)),
    attempt('audit', document.entries.length === 0, () => audit(document, deps)),
  ]);
  const complete = announced && audited;
  if (complete && document.deleted) await rules.forget(_id, version);
  else {
    const pending_since = complete ? 0 : document.pending_since;
    await rules.told(_id, version, { announced, entries: audited ? [] : document.entries, pending_since });
  }
  return { audited, complete };
}
