import { isDeepStrictEqual } from 'node:util';
import type { Store } from '@order-automation/store';
import type { Cell } from '../src/counts/cells';
import { countedOf } from '../src/counts/range-counts';
import type { Log } from '../src/log';
import { type ProcessRow, withEntries } from '../src/processes/process-row';
import { openProcesses } from '../src/processes/processes';
import { entriesOf } from '../src/records/log-record';
import { openRecords } from '../src/records/records';

/** The entries, in the order of recording. */
export const stored = async (store: Store) => (await (await openRecords(store)).inRange({}, 0)).flatMap(entriesOf);

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

/** The ranges of so many ids that say something else than the records in them. */
export async function wrongRanges(store: Store, { totals }: Pick<Log, 'totals'>, size = 8): Promise<number[]> {
  const entries = await stored(store);
  const wrong = (await totals.counts.load()).filter((range) => {
    const { cells, ...rest } = countedOf(entries.filter(({ record_id }) => Math.floor(record_id / size) === range._id));
    const isSame = isDeepStrictEqual(inOrder(range.cells), inOrder(cells));
    return range.stale || !isSame || !isDeepStrictEqual({ ...range, ...rest }, range);
  });
  return wrong.map(({ _id }) => _id);
}

const inOrder = (cells: readonly Cell[]) => cells.map((cell) => JSON.stringify(cell)).sort();

/** Every uid, as often as it is stored. */
export const uids = async (store: Store) => (await stored(store)).map(({ uid }) => uid).sort();
