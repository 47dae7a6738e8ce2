import { type AuditEventType, auditEntry, type NewAuditEntry, newId, newProcessId } from '@order-automation/contracts';
import type { Clock, Outbox } from '@order-automation/service';
import type { KnownCall } from './http/call';

/** What an administrator, or a user about their own account, is going to do. */
export type Administration = {
  readonly call: Pick<KnownCall, 'client'> & { readonly identity: Pick<KnownCall['identity'], 'name'> };
  /** Completes the sentence that begins with the name of the user. */
  readonly what: string;
  /** Default `account_changed`. */
  readonly event_type?: AuditEventType;
  readonly details?: Record<string, unknown>;
};

export type AdministrationLog = ReturnType<typeof administrationLog>;

/** The log of what administrators do: stored before it happens, handed to audit until it has it. */
export function administrationLog(outbox: Outbox, clock: Clock) {
  return {
    /** Nothing of it happens unrecorded. `outcome` completes the sentence when it is done; null: it is recorded elsewhere, or nothing happened. */
    during: <T>(
      administration: Administration,
      act: () => Promise<T>,
      outcome?: (result: T) => string | null,
    ): Promise<T> => {
      const entry = entryOf(administration, clock.now());
      return outbox.recordAround(entry, act, (result) => {
        if (outcome === undefined) return entry;
        const what = outcome(result);
        return what === null ? null : { ...entry, ...sentenceOf({ ...administration, what }) };
      });
    },
  };
}

function entryOf(administration: Administration, now: number): NewAuditEntry {
  return auditEntry({
    uid: newId('ent', now),
    timestamp: new Date(now).toISOString(),
    status: 'info',
    event_type: administration.event_type ?? 'account_changed',
    source: 'api',
    process_id: newProcessId(now),
    ...sentenceOf(administration),
  });
}

function sentenceOf({ call, what, details }: Administration): Pick<NewAuditEntry, 'summary' | 'details'> {
  const { address } = call.client;
  const user = call.identity.name;
  return { summary: `${user} ${what}, from ${address}`.slice(0, 2000), details: { user, what, address, ...details } };
}
