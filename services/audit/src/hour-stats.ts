import { insertNew, type Store } from '@order-automation/store';
import type { Entry } from './entry';
import { type HourStats, statsOf } from './stats';

/** The statistics of the entries of one hour that are in one range of ids. Derived from the entries; can be rebuilt. */
type HourDocument = HourStats & { readonly _id: string; readonly range: number; readonly hour: string };

export async function openHourStats(store: Store) {
  const documents = await store.collection<HourDocument>('stats', [
    { name: 'hour', key: { hour: 1 } },
    { name: 'range', key: { range: 1 } },
  ]);
  const put = async (range: number, entries: readonly Entry[]): Promise<void> => {
    const made = [...statsOf(entries)].map(([hour, stats]) => ({ ...stats, _id: `${range}/${hour}`, range, hour }));
    await insertNew(documents, made);
  };
  return {
    put,
    /** Counts a range again. */
    replace: async (range: number, entries: readonly Entry[]): Promise<void> => {
      await documents.deleteMany({ range: { $eq: range } });
      await put(range, entries);
    },
    /** What is stored of the hours from one time up to another. */
    between: async (from: string, to: string): Promise<(readonly [hour: string, stats: HourStats])[]> => {
      const found = await documents.find({ hour: { $gte: from, $lte: to } }).toArray();
      return found.map((stats) => [stats.hour, stats]);
    },
    removeBelow: (range: number) => documents.deleteMany({ range: { $lt: range } }),
  };
}
