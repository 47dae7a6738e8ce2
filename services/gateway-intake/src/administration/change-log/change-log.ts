import { auditEntry, type NewAuditEntry, newId, newProcessId } from '@order-automation/contracts';
import { recordsOf } from '@order-automation/service';
import type { Parts } from '../parts';
import type { Change } from './change-entries';

export const someone = 'An administrator';

/**
 * Stores the entry about what an administrator did; it is handed to audit until audit has it. Resolves when it is stored. With the `id` of what the entry
 * follows from it is recorded once, however often that happens.
 */
export async function recordChange(
  { outbox, clock }: Pick<Parts, 'outbox' | 'clock'>,
  change: Change | undefined,
  id: string = newId('evt', clock.now()),
): Promise<void> {
  if (change) await outbox.add(recordsOf([entryOf(id, change, clock.now())]));
}

/**
 * Stores what an administrator is about to do before it happens, and what came of it afterwards: nothing is changed without an entry, whenever the
 * process ends. `describe` says the first without a result, and is undefined when a result changed nothing.
 */
export function recordedChange<T>(
  { outbox, clock }: Pick<Parts, 'outbox' | 'clock'>,
  act: () => Promise<T>,
  describe: (result?: T) => Change | undefined,
): Promise<T> {
  const now = clock.now();
  const id = newId('evt', now);
  const entry = (change: Change | undefined) => (change ? entryOf(id, change, now) : null);
  const intent = entry(describe());
  if (!intent) throw new Error('an intent has no description');
  return outbox.recordAround(intent, act, (result) => entry(describe(result)));
}

/** A handler of what an administrator changes: it is recorded (`recordedChange`) with the name of who asked for it. */
export const recorded =
  <Input extends { readonly by?: string | undefined }, Output>(
    parts: Parts,
    act: (input: Input, parts: Parts) => Promise<Output>,
    describe: (by: string, input: Input, result?: Output) => Change | undefined,
  ) =>
  (input: Input): Promise<Output> =>
    recordedChange(
      parts,
      () => act(input, parts),
      (result) => describe(input.by ?? someone, input, result),
    );

function entryOf(id: string, { process_id, ...change }: Change, now: number): NewAuditEntry {
  return auditEntry({
    ...change,
    process_id: process_id ?? newProcessId(now),
    uid: `${id}:change`,
    timestamp: new Date(now).toISOString(),
    source: 'manual',
  });
}
