import { BusError } from './errors';
import { type Group, type GroupOptions, inProcessGroup } from './in-process-group';
import type { Message } from './port';

/** A message on its way, and roughly what it weighs in bytes. */
export type Parcel = {
  readonly type: string;
  readonly id: string;
  readonly weight: number;
  /** The message, shared with nobody: made anew each time. */
  open(): Message;
};

/** Every group of every event type. */
export type Groups = {
  /** The group of that name, made when it is new; a new one each time for null. */
  of(type: string, name: string | null): Group;
  /** Forgets a group: nothing more is delivered to it. */
  remove(type: string, group: Group): void;
  /** Throws BusError `unavailable` when a group has no room for all of them. */
  refuseOverflow(parcels: readonly Parcel[]): void;
  /** Queues for every group; handed out in the next turn of the event loop, together with what else comes in this one. */
  deliver(parcel: Parcel): void;
  drained(): Promise<void>;
  drop(): void;
};

export function inProcessGroups(options: Omit<GroupOptions, 'type' | 'name'>): Groups {
  const groups = new Map<string, readonly Group[]>();
  const dirty = new Set<Group>();
  const all = (): Group[] => [...groups.values()].flat();

  const flush = (): void => {
    const due = [...dirty];
    dirty.clear();
    for (const group of due) group.dispatch();
  };

  return {
    of: (type, name) => {
      const known = groups.get(type) ?? [];
      const found = name === null ? undefined : known.find((group) => group.name === name);
      if (found) return found;
      const group = inProcessGroup({ ...options, type, name });
      groups.set(type, [...known, group]);
      return group;
    },
    remove: (type, group) => {
      const others = (groups.get(type) ?? []).filter((other) => other !== group);
      groups.set(type, others);
    },
    refuseOverflow: (parcels) => {
      for (const [type, { count, bytes }] of totals(parcels)) {
        const full = groups.get(type)?.find((group) => group.name !== null && !group.hasRoom(count, bytes));
        if (full)
          throw new BusError('unavailable', `The backlog of ${full.name} is full (${full.backlog} of ${type}).`);
      }
    },
    deliver: (parcel) => {
      for (const group of groups.get(parcel.type) ?? []) {
        group.enqueue(parcel);
        if (dirty.size === 0) setImmediate(flush);
        dirty.add(group);
      }
    },
    drained: async () => {
      flush();
      await Promise.all(all().map((group) => group.drained()));
    },
    drop: () => {
      for (const group of all()) group.drop();
    },
  };
}

function totals(parcels: readonly Parcel[]): Map<string, { count: number; bytes: number }> {
  const sums = new Map<string, { count: number; bytes: number }>();
  for (const { type, weight } of parcels) {
    let sum = sums.get(type);
    if (!sum) {
      sum = { count: 0, bytes: 0 };
      sums.set(type, sum);
    }
    sum.count += 1;
    sum.bytes += weight;
  }
  return sums;
}
