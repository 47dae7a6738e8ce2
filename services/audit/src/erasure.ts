import { isoTime, type NewAuditEntry, type RequestInput, type RequestOutput } from '@order-automation/contracts';
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
  /** Erases the person from the payloads that intake keeps. */
  readonly erasePayloads: (person: Person) => Promise<Payloads>;
  /** Takes what was there before out of the files. */
  readonly scrub: () => Promise<void>;
};

type Person = RequestInput<'intake.person.erase.v1'>;
type Payloads = RequestOutput<'intake.person.erase.v1'>;

const atOnce = 500;

/**
 * Takes what links entries to a person out of the log, and the person out of the payloads that intake keeps (decisions.md section 7): afterwards
 * nobody finds them by the address or the customer id. A call that failed half-way can be made again.
 * Each entry gets a new digest and leaves the sealed one in a tombstone, so that the chain stays verifiable.
 */
export async function erasePerson(
  { email, customer_id, user, process_id }: RequestInput<'audit.person.erase.v1'>,
  deps: ErasureDeps,
): Promise<RequestOutput<'audit.person.erase.v1'>> {
  const { keys, clock, record, erasePayloads, scrub } = deps;
  const payloads = await erasePayloads({ email, customer_id });
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
  await scrub();
  await record([erasureEntry(process_id, user, { erased, payloads }, isoTime(clock.now()))]);
  return { erased, payloads };
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

type Erased = { readonly erased: number; readonly payloads: Payloads };

function erasureEntry(processId: string, user: string, { erased, payloads }: Erased, timestamp: string): NewAuditEntry {
  const entries = erased === 1 ? '1 entry' : `${erased} entries`;
  const webhooks = payloads.erased === 1 ? '1 received webhook' : `${payloads.erased} received webhooks`;
  return {
    uid: `${processId}:erased`,
    timestamp,
    status: 'warning',
    event_type: 'audit_deleted',
    source: 'manual',
    summary: `${user} erased a person: ${entries} no longer lead to that person, and the payloads of ${webhooks} were removed.`,
    order_id: null,
    process_id: processId,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { user, erased, payloads },
  };
}
