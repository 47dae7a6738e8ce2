import { insertNew, type Store } from '@order-automation/store';
import type { CountedEntry } from '../records/record-summary';
import { type Stats, statsOf, summedBy } from './stats';

/** The statistics of the entries of one hour that are in one range of ids. Derived from the entries; can be rebuilt. */
type HourDocument = Stats & {
  readonly _id: string;
  readonly range: number;
  readonly hour: string;
  /** Of each minute with entries, by its two digits. */
  readonly minutes: Readonly<Record<string, Stats>>;
};

/** Statistics and the beginning of the minute or hour that they are of. */
export type StatsAt = readonly [start: string, stats: Stats];

const minuteOf = (start: string): string => start.slice(14, 16);

export async function openHourStats(store: Store) {
  const documents = await store.collection<HourDocument>('stats', [
    { name: 'hour', key: { hour: 1 } },
    { name: 'range', key: { range: 1 } },
  ]);
  const put = async (range: number, entries: readonly CountedEntry[]): Promise<void> => {
    const minutes = [...statsOf(entries, 'minute')];
    const made = [...summedBy('hour', minutes)].map(([hour, stats]) => ({
      ...stats,
      _id: `${range}/${hour}`,
      range,
      hour,
      minutes: Object.fromEntries(
        minutes.filter(([start]) => start.startsWith(hour.slice(0, 13))).map(([start, one]) => [minuteOf(start), one]),
      ),
    }));
    await insertNew(documents, made);
  };
  return {
    put,
    replace: async (range: number, entries: readonly CountedEntry[]): Promise<void> => {
      await documents.deleteMany({ range: { $eq: range } });
      await put(range, entries);
    },
    /** What is stored of the hours from one time up to another. */
    between: async (from: string, to: string, unit: 'minute' | 'hour'): Promise<StatsAt[]> => {
      const hours = { hour: { $gte: from, $lte: to } };
      if (unit === 'hour') {
        const found = await documents.find(hours, { projection: { minutes: 0 } }).toArray();
        return found.map((stats) => [stats.hour, stats]);
      }
      return (await documents.find(hours).toArray()).flatMap(({ hour, minutes }) =>
        Object.entries(minutes).map(([minute, one]): StatsAt => [`${hour.slice(0, 14)}${minute}:00.000Z`, one]),
      );
    },
    removeBelow: (range: number) => documents.deleteMany({ range: { $lt: range } }),
  };
}
