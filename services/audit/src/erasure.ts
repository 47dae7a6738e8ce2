import { isoTime, type NewAuditEntry, type RequestInput } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { ChainKeys } from './chain/keys';
import type { Tombstones } from './chain/tombstones';
import type { Entries, Wanted } from './entries';
import { digestParts } from './entry';
import { customerHashes, emailHashes } from './person';

export type ErasureDeps = {
  readonly entries: Entries;
  readonly tombstones: Tombstones;
  readonly keys: ChainKeys;
  readonly clock: Clock;
  readonly record: (entries: readonly NewAuditEntry[]) => Promise<unknown>;
};

const atOnce = 500;

/**
 * Takes what links entries to a person out of the log (decisions.md section 7): afterwards nobody finds them by the address or the customer id.
 * Each entry gets a new digest and leaves the sealed one in a tombstone, so that the chain stays verifiable.
 */
export async function erasePerson(
  { email, customer_id, user, process_id }: RequestInput<'audit.person.erase.v1'>,
  deps: ErasureDeps,
): Promise<{ erased: number }> {
  const { keys, clock, record } = deps;
  let erased = 0;
  if (email !== null)
    erased += await unlink('email_hash', { email_hash: { $in: emailHashes(email, keys) } }, process_id, deps);
  if (customer_id !== null)
    erased += await unlink(
      'customer_hash',
      { customer_hash: { $in: customerHashes(customer_id, keys) } },
      process_id,
      deps,
    );
  await record([erasureEntry(process_id, user, erased, isoTime(clock.now()))]);
  return { erased };
}

const withoutHash = { email_hash: { email_hash: '' }, customer_hash: { customer_hash: '' } } as const;

async function unlink(
  field: 'email_hash' | 'customer_hash',
  filter: Wanted,
  processId: string,
  { entries: { documents }, tombstones, keys }: ErasureDeps,
): Promise<number> {
  for (let erased = 0; ; ) {
    const found = await documents.find(filter).limit(atOnce).toArray();
    if (found.length === 0) return erased;
    await tombstones.add(found, 'erased', processId);
    const { matchedCount } = await documents.bulkWrite(
      found.map(({ [field]: _hash, mac, ...rest }) => ({
        updateOne: {
          filter: { _id: rest._id, mac },
          update: { $set: { mac: keys.mac(...digestParts(rest)) }, $unset: withoutHash[field] },
        },
      })),
      { ordered: false },
    );
    erased += matchedCount;
  }
}

function erasureEntry(processId: string, user: string, erased: number, timestamp: string): NewAuditEntry {
  return {
    uid: `${processId}:erased`,
    timestamp,
    status: 'warning',
    event_type: 'audit_deleted',
    source: 'manual',
    summary: `${user} erased a person from the log: ${erased === 1 ? '1 entry' : `${erased} entries`} no longer lead to that person.`,
    order_id: null,
    process_id: processId,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { user, erased },
  };
}
