import { auditEntry, type NewAuditEntry, newId, newProcessId } from '@order-automation/contracts';
import { type Outbox, recordsOf, type ServiceDeps, startRelay } from '@order-automation/service';

export type Refusal = {
  readonly reason: string;
  /** What was tried, without anything from the request that could be a secret. */
  readonly what: string;
  /** A user that exists; names that nobody has are not repeated, they may be mistyped passwords. */
  readonly user: string | null;
  readonly address: string;
};

export type SecurityLog = ReturnType<typeof startSecurityLog>;

const window = 60_000;
/** Different refusals told apart in a window; the rest is counted together. */
const maxKinds = 50;
const maxQueued = 500;

type Kind = { readonly refusal: Refusal; readonly since: number; further: number };

/**
 * Hands refused logins and requests to audit as `security_denied`: the first of a kind at once, the further ones of a minute as one entry
 * with their number, so that nobody can flood the log. They go through the durable outbox; while the store is unavailable, up to 500 entries wait here.
 */
export function startSecurityLog(outbox: Pick<Outbox, 'add'>, { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>) {
  const kinds = new Map<string, Kind>();
  const queue: NewAuditEntry[] = [];

  const enqueue = (refusal: Refusal, count: number): void => {
    if (queue.length < maxQueued) queue.push(refusalEntry(refusal, count, clock.now()));
  };
  const sumUp = (due: (kind: Kind) => boolean): void => {
    for (const [key, kind] of kinds) {
      if (!due(kind)) continue;
      kinds.delete(key);
      if (kind.further > 0) enqueue(kind.refusal, kind.further);
    }
  };
  const relay = startRelay<NewAuditEntry>({
    name: 'security-log',
    pending: async (_now, limit) => {
      sumUp(({ since }) => clock.now() - since >= window);
      return queue.slice(0, limit);
    },
    send: async (entries) => {
      await outbox.add(recordsOf(entries));
      queue.splice(0, entries.length);
    },
    every: 1_000,
    batch: 50,
    clock,
    log,
  });
  return {
    refused: (refusal: Refusal): void => {
      const own = JSON.stringify([refusal.reason, refusal.user, refusal.address]);
      const key = kinds.has(own) || kinds.size < maxKinds ? own : 'rest';
      const known = kinds.get(key);
      if (known) {
        known.further += 1;
        return;
      }
      kinds.set(key, { refusal, since: clock.now(), further: 0 });
      enqueue(refusal, 1);
      relay.kick();
    },
    close: async (): Promise<void> => {
      await relay.close();
      sumUp(() => true);
      await outbox.add(recordsOf(queue)).catch(() => undefined);
    },
  };
}

/** The entry of one refusal, or of `count` further ones of its kind. `now` in milliseconds since the epoch. */
function refusalEntry(refusal: Refusal, count: number, now: number): NewAuditEntry {
  const { reason, what, user, address } = refusal;
  const whom = user === null ? 'nobody known' : `user ${user}`;
  const times = count === 1 ? '' : ` (${count} further times within a minute)`;
  return auditEntry({
    uid: newId('ent', now),
    timestamp: new Date(now).toISOString(),
    status: 'warning',
    event_type: 'security_denied',
    source: 'api',
    process_id: newProcessId(now),
    summary: `${what} refused: ${reason.replaceAll('_', ' ')}, ${whom}, from ${address}${times}`,
    details: { reason, what, user, address, count },
  });
}
