import type { EventFilter, ReplayJob } from '@order-automation/contracts';
import { type JobDocument, openJobs } from '@order-automation/service';
import type { Documents, Store } from '@order-automation/store';

export type ReplayedState = 'done' | 'dead';

/**
 * A job that replays the events that pass a filter, and how far it has come: `states` are those still to be walked, `cursor` is the last event
 * of the first of them that was replayed. Events from `upto` on came after it began.
 */
export type ReplayJobDocument = JobDocument & {
  readonly state: ReplayJob['state'];
  readonly filter: EventFilter;
  readonly by: string;
  readonly states: readonly ReplayedState[];
  readonly cursor: string;
  readonly upto: string;
  readonly matching: number;
  readonly replayed: number;
  readonly rules?: 'original';
  /** Events without such versions. */
  readonly skipped?: number;
  readonly started_at: string;
  readonly finished_at?: string;
};

export type ReplayJobs = Awaited<ReturnType<typeof openReplayJobs>>;

/** Opens the collection; a job of the first version that ran goes on. */
export async function openReplayJobs(store: Store) {
  const names = { noun: 'replay', notFound: 'svc_replay_not_found' };
  const jobs = await openJobs<ReplayJobDocument>(store, 'replay_jobs', 'rpl', names);
  /** `lease_until` was milliseconds since the epoch. */
  const documents = jobs.documents as unknown as Documents<ReplayJobDocument & { readonly lease_until?: number }>;
  const left = { state: 'running' as const, lease_until: { $exists: true } };
  await documents.updateMany(left, { $set: { fence: 0, due: 0 }, $unset: { lease_until: '' } });
  return jobs;
}
