import { isFree } from '@order-automation/service';
import type { Documents, Store } from '@order-automation/store';
import type { Open } from '../notifications/due';
import type { Cause, Streaks } from '../notifications/problems';
import { orTaken } from './taken-names';

export const notificationKinds = ['email', 'webhook', 'heartbeat'] as const;

/** A subscription to causes, and what was last said of each. Times in `open` are milliseconds since the epoch. */
export type NotificationDocument = {
  readonly _id: string;
  readonly name: string;
  readonly kind: (typeof notificationKinds)[number];
  /** An e-mail address, or the address of a call. */
  readonly to: string;
  readonly secret_ref: string | null;
  readonly causes: readonly Cause[];
  readonly quiet_minutes: number;
  readonly enabled: boolean;
  readonly open: Readonly<Partial<Record<Cause, Open>>>;
  readonly last_sent_at: string | null;
  /** Why the last message could not be sent; null when it was. */
  readonly last_error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** What the watch knows from one look to the next; `until` is the lease of the instance that looks. */
export type WatchDocument = {
  readonly _id: 'watch';
  readonly until: number;
  readonly streaks: Streaks;
  readonly verified: {
    readonly at: number;
    readonly through: number | null;
    readonly problem: { readonly reason: string | null; readonly firstBadId: number | null } | null;
  };
};

export const maxNotifications = 50;

export type Notifications = Awaited<ReturnType<typeof openNotifications>>;

export async function openNotifications(store: Store) {
  const documents: Documents<NotificationDocument> = await store.collection<NotificationDocument>('notifications');
  const watches: Documents<WatchDocument> = await store.collection<WatchDocument>('notification_watch');
  const first: WatchDocument = {
    _id: 'watch',
    until: 0,
    streaks: {},
    verified: { at: 0, through: null, problem: null },
  };
  await orTaken(watches.insertOne(first));
  return {
    all: () => documents.find({}).sort({ _id: 1 }).limit(maxNotifications).toArray(),
    find: (id: string) => documents.findOne({ _id: id }),
    count: () => documents.countDocuments({}),
    add: (document: NotificationDocument) => documents.insertOne(document),
    /** False when there is none of this id. */
    change: async (id: string, changes: Partial<Omit<NotificationDocument, '_id' | 'created_at'>>) =>
      (await documents.updateOne({ _id: id }, { $set: changes })).matchedCount === 1,
    remove: async (id: string) => (await documents.deleteMany({ _id: id })).deletedCount === 1,
    /** What the last look left, when no other instance looks; null otherwise. Compare and set on the lease that was read. */
    takeWatch: async (now: number, until: number): Promise<WatchDocument | null> => {
      const known = await watches.findOne({ _id: 'watch' });
      if (!known || !isFree(known.until, now, 10 * (until - now))) return null;
      const taken = await watches.updateOne({ _id: 'watch', until: known.until }, { $set: { until } });
      return taken.matchedCount === 1 ? known : null;
    },
    saveWatch: async (change: Pick<WatchDocument, 'streaks' | 'verified'>) => {
      await watches.updateOne({ _id: 'watch' }, { $set: change });
    },
  };
}
