import type { Store } from '@order-automation/store';
import { chainKeys } from '../src/chain/keys';
import { openEntries } from '../src/entries';
import { type ProcessRow, withEntries } from '../src/process-row';
import { openProcesses } from '../src/processes';
import { auditConfig } from './audit';

/** The entries, in the order of recording. */
export const stored = async (store: Store) =>
  (await openEntries(store, chainKeys(auditConfig.secretKey.reveal()))).documents.find({}).sort({ _id: 1 }).toArray();

/** Each process has one row, which says what a plain grouping of the stored entries says. */
export async function expectRowsInOrder(store: Store): Promise<void> {
  const entries = await stored(store);
  const rows = await (await openProcesses(store)).documents.find({}).toArray();
  const ids = [...new Set(entries.map(({ process_id }) => process_id))].sort();
  const wanted = ids.map((id) =>
    withEntries(
      undefined,
      entries.filter(({ process_id }) => process_id === id),
    ),
  );
  const found = rows.map((row): ProcessRow => ({ ...row, revision: 1 })).sort((a, b) => (a._id < b._id ? -1 : 1));
  expect(found).toEqual(wanted);
}

/** Every uid, as often as it is stored. */
export const uids = async (store: Store) => (await stored(store)).map(({ uid }) => uid).sort();
