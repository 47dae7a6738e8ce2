import { type NewAuditEntry, newId, newProcessId } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Delivery } from '../inbox/delivery';
import type { Owed, OwedDocument } from '../inbox/owed';
import type { Change } from './change-entries';

export type ChangeParts = {
  readonly collections: { readonly owed: Owed };
  readonly delivery: Pick<Delivery, 'record'>;
  readonly clock: Clock;
};

export const someone = 'An administrator';

/** Stores the entry about what an administrator did; it is handed to audit until audit has it. Resolves when it is stored. */
export async function recordChange(parts: ChangeParts, change: Change | undefined): Promise<void> {
  if (!change) return;
  const now = parts.clock.now();
  const _id = newId('evt', now);
  const owed: OwedDocument[] = [{ _id, entry: entryOf(_id, change, now) }];
  await parts.collections.owed.add(owed);
  parts.delivery.record(owed);
}

function entryOf(id: string, { summary, order_id = null, process_id, ...change }: Change, now: number): NewAuditEntry {
  return {
    ...change,
    uid: `${id}:change`,
    timestamp: new Date(now).toISOString(),
    status: 'success',
    source: 'manual',
    summary: summary.slice(0, 2000),
    order_id,
    process_id: process_id ?? newProcessId(now),
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
  };
}
