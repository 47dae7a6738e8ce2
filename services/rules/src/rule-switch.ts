import { randomUUID } from 'node:crypto';
import { type Actor, ServiceError, unavailable } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { type Documents, isDuplicateKey, type Store } from '@order-automation/store';
import type { RuleFields } from './rule-documents';

/**
 * What an import or a reordering still has to write to a rule that has this version; `fields` is null of one to delete. `_id` is the order. `is_move`:
 * only the position counts, whatever else was saved meanwhile.
 */
export type SwitchStep = {
  readonly _id: number;
  readonly rule_id: number;
  readonly version: number;
  readonly fields: RuleFields | null;
  readonly actor: Actor;
  readonly is_move?: boolean;
};

type LockDocument = { readonly _id: 'import'; owner: string; until: number };

export type RuleSwitch = Awaited<ReturnType<typeof openRuleSwitch>>;

/** Milliseconds after which an import that does not renew its lease counts as dead. */
const leaseFor = 30_000;
/** Milliseconds that one import waits for another. */
const waitFor = 20_000;
const lookEvery = 100;

/** One import or reordering at a time, and what one that died has left to write. */
export async function openRuleSwitch(store: Store, clock: Clock) {
  const locks: Documents<LockDocument> = await store.collection<LockDocument>('rule_import_lock');
  const steps: Documents<SwitchStep> = await store.collection<SwitchStep>('rule_import_steps');

  const claim = async (owner: string): Promise<boolean> => {
    try {
      await locks.insertOne({ _id: 'import', owner, until: clock.now() + leaseFor });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const held = await locks.findOne({ _id: 'import' });
    const now = clock.now();
    // An end that is far away was written while a clock ran ahead; other instances' clocks differ a little from this one.
    if (!held || (held.until > now && held.until <= now + 2 * leaseFor)) return false;
    const filter = { _id: 'import', owner: held.owner, until: held.until } as const;
    return (await locks.updateOne(filter, { $set: { owner, until: now + leaseFor } })).matchedCount === 1;
  };

  return {
    steps: {
      add: (rows: readonly SwitchStep[]) => steps.insertMany(rows),
      all: () => steps.find({}).sort({ _id: 1 }).toArray(),
      clear: () => steps.deleteMany({}),
    },
    /** Whether an import was left unfinished, or is running. */
    isHeld: async (): Promise<boolean> => (await locks.findOne({ _id: 'import' })) !== null,
    /** Undefined when another import is running now. */
    tryExclusively: async <T>(act: (lease: Lease) => Promise<T>): Promise<T | undefined> => {
      const owner = randomUUID();
      if (!(await claim(owner))) return undefined;
      const release = () => locks.deleteMany({ _id: 'import', owner });
      try {
        const result = await act(leaseOf(locks, owner, clock));
        await release();
        return result;
      } catch (error) {
        // After anything but a refusal there may be something left to write: whoever finds the lease ended writes it.
        if (error instanceof ServiceError && error.status < 500) await release();
        throw error;
      }
    },
  };
}

/** `renew` rejects when another instance has taken over: this one was taken for dead. */
export type Lease = { renew(): Promise<void> };

function leaseOf(locks: Documents<LockDocument>, owner: string, clock: Clock): Lease {
  return {
    renew: async () => {
      const renewed = await locks.updateOne({ _id: 'import', owner }, { $set: { until: clock.now() + leaseFor } });
      if (renewed.matchedCount === 0) throw unavailable('rules');
    },
  };
}

/** Waits until no import or reordering is running; 409 when that takes too long. */
export async function exclusively<T>(ruleSwitch: RuleSwitch, act: (lease: Lease) => Promise<T>): Promise<T> {
  for (const start = Date.now(); Date.now() - start < waitFor; ) {
    const done = await ruleSwitch.tryExclusively(async (lease) => ({ result: await act(lease) }));
    if (done) return done.result;
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  throw new ServiceError(
    409,
    'svc_import_running',
    'Rules are being imported or reordered. Try again when that is done.',
  );
}
