import type { EventType } from '@order-automation/contracts';
import { BusError } from '../errors';
import { type Group, type GroupMember, type GroupOptions, newGroup } from '../group';
import type { Written } from '../wire';

type GroupsOptions = Omit<GroupOptions, 'type' | 'name'> & {
  readonly maxBacklog: number;
  readonly maxBacklogSize: number;
};

export function newGroups(options: GroupsOptions) {
  const groups = new Map<EventType, readonly Group[]>();
  const behind = new Set<Group>();
  const missed = (type: EventType, group: Group): void => {
    if (group.name === null || behind.has(group)) return;
    behind.add(group);
    options.log.warn({ type, group: group.name, waiting: group.backlog.count }, 'a full group misses messages');
  };
  const at = (type: EventType): readonly Group[] => groups.get(type) ?? [];
  const of = (type: EventType, name: string | null): Group => {
    const found = name === null ? undefined : at(type).find((group) => group.name === name);
    if (found) return found;
    const group = newGroup({ ...options, type, name });
    groups.set(type, [...at(type), group]);
    return group;
  };

  return {
    /** A group without room misses what others get, as in a full stream of NATS; without room in any group of a type the whole call is refused. */
    publish: (messages: readonly Written[]): void => {
      const byType = groupByType(messages);
      for (const [type, all] of byType) {
        const named = at(type).filter(({ name }) => name !== null);
        const [full] = named;
        if (!full || named.some((group) => hasRoom(group, all, options))) continue;
        throw new BusError('unavailable', `The backlog of ${full.name} is full (${full.backlog.count} of ${type}).`);
      }
      for (const [type, all] of byType) {
        const items = all.map(({ text }) => ({ text, logName: 'unreadable' }));
        for (const group of at(type)) {
          if (!hasRoom(group, all, options)) missed(type, group);
          else {
            behind.delete(group);
            group.enqueue(items);
          }
        }
      }
    },
    /** The function returned leaves; a listener without a name is forgotten then, a group stays. */
    join: (type: EventType, name: string | null, member: GroupMember): (() => Promise<void>) => {
      const group = of(type, name);
      const leave = group.join(member);
      return async () => {
        const others = at(type).filter((other) => other !== group);
        if (name === null) groups.set(type, others);
        await leave();
      };
    },
    drained: async (): Promise<void> => {
      await Promise.all([...groups.values()].flat().map((group) => group.drained()));
    },
    drop: (): void => {
      for (const group of [...groups.values()].flat()) group.drop();
    },
  };
}

function hasRoom({ backlog }: Group, all: readonly Written[], { maxBacklog, maxBacklogSize }: GroupsOptions): boolean {
  const size = all.reduce((sum, { text }) => sum + text.length, 0);
  return backlog.count + all.length <= maxBacklog && backlog.size + size <= maxBacklogSize;
}

function groupByType(messages: readonly Written[]): Map<EventType, Written[]> {
  const byType = new Map<EventType, Written[]>();
  for (const message of messages) {
    const same = byType.get(message.type);
    if (same) same.push(message);
    else byType.set(message.type, [message]);
  }
  return byType;
}
