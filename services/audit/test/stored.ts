import type { Store } from '@order-automation/store';
import { openBundles } from '../src/bundles';
import { summarise } from '../src/process-summary';

/** The bundles, in the order of recording. */
export const stored = async (store: Store) => (await openBundles(store)).documents.find({}).sort({ _id: 1 }).toArray();

/** What is known of the processes is what a plain grouping of the entries that are stored says of them. */
export async function expectRowsInOrder(store: Store): Promise<void> {
  const firsts = (await stored(store)).filter(({ n }) => n === 0);
  const ids = new Set((await stored(store)).map(({ process_id }) => process_id));
  const { processes } = await openBundles(store);
  const [rows, accounts] = await Promise.all([processes.rows([...ids]), processes.accounts([...ids])]);
  const known = firsts.map(({ process_id, visibility, started_at }) => [
    process_id,
    { ...rows.get(process_id), visibility, started_at },
  ]);
  const grouped = accounts.map(({ first: { process_id }, facts }) => [process_id, { process_id, ...summarise(facts) }]);
  expect(new Map(known as [string, unknown][])).toEqual(new Map(grouped as [string, unknown][]));
  expect(firsts).toHaveLength(ids.size);
}

/** Every uid, as often as it is stored. */
export const uids = async (store: Store) =>
  (await stored(store)).flatMap(({ entries }) => entries.map(({ uid }) => uid)).sort();
