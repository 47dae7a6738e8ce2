import type { NewAuditEntry, ResendJob } from '@order-automation/contracts';
import { type JobDocument, openJobs } from '@order-automation/service';
import type { Store } from '@order-automation/store';

/** A job that sends deliveries again, and how far it has come: `cursor` is the last one that it looked at. Those from `upto` on came later. */
export type ResendJobDocument = JobDocument &
  Readonly<Omit<ResendJob, 'id'>> & {
    readonly process_id: string;
    readonly cursor: string;
    readonly upto: string;
    /** What the log does not have yet. */
    readonly entry: NewAuditEntry | null;
  };

export type ResendJobs = Awaited<ReturnType<typeof openResendJobs>>;

export async function openResendJobs(store: Store) {
  const jobs = await openJobs<ResendJobDocument>(store, 'resend_jobs', 'rsd');
  return {
    ...jobs,
    /** Ends it, whoever works on it. False when it changed meanwhile. */
    end: async (job: ResendJobDocument, ended: Partial<ResendJobDocument>, now: number): Promise<boolean> =>
      (await jobs.change(job, { ...ended, fence: job.fence + 1, due: now })) !== null,
    /** The log has all of it. */
    close: (job: ResendJobDocument) => jobs.finish(job, { entry: null }),
  };
}
