import {
  auditEntry,
  counted,
  isoTime,
  type NewAuditEntry,
  newId,
  newProcessId,
  type RequestInput,
  type RequestOutput,
  type ResendJob,
} from '@order-automation/contracts';
import {
  idsLeft,
  type JobDocument,
  type Jobs,
  openJobs,
  restingSweep,
  type ServiceDeps,
  startJobs,
  withId,
} from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { filterOf } from './document';
import { isErased, type ResendDeps, resend, someone } from './resend';

/** A job that sends deliveries again, and how far it has come: `cursor` is the last one that it looked at. Those from `upto` on came later. */
export type ResendJobDocument = JobDocument &
  Readonly<Omit<ResendJob, 'id'>> & {
    readonly process_id: string;
    readonly cursor: string;
    readonly upto: string;
    /** What the log does not have yet. */
    readonly entry: NewAuditEntry | null;
  };

export type ResendJobs = Jobs<ResendJobDocument>;

export type ResendJobDeps = ResendDeps & Pick<ServiceDeps, 'log'> & { readonly jobs: ResendJobs };

/** Deliveries that are put back between two looks at the job: it may have been cancelled. */
const stepSize = 50;
const sweepEvery = 500;

export const openResendJobs = (store: Store): Promise<ResendJobs> =>
  openJobs(store, 'resend_jobs', 'rsd', { noun: 'resend', notFound: 'svc_resend_not_found' });

/** Starts a job for the deliveries that pass the filter, the failed ones unless it names a state; or only counts them. */
export async function resendDeliveries(
  { filter, preview, by = someone }: RequestInput<'evaluation.deliveries.resend.v1'>,
  { deliveries, jobs, clock }: ResendJobDeps,
  kick: () => void,
): Promise<RequestOutput<'evaluation.deliveries.resend.v1'>> {
  const wanted = { state: 'failed' as const, ...filter };
  const matching = await deliveries.count(filterOf(wanted));
  if (preview || matching === 0) return { matching };
  const now = clock.now();
  const begun: ResendJobDocument = {
    _id: newId('rsd', now),
    state: 'running',
    filter: wanted,
    by,
    process_id: newProcessId(now),
    cursor: '',
    upto: newId('dlv', now),
    matching,
    resent: 0,
    started_at: isoTime(now),
    finished_at: null,
    entry: null,
    fence: 0,
    due: now,
  };
  const job = {
    ...begun,
    entry: jobEntry(begun, 'begun', `${by} began to send ${counted(matching, 'delivery', 'deliveries')} again.`, now),
  };
  await jobs.insert(job);
  kick();
  return { matching, job: withId(job) };
}

export function startResendJobs(deps: ResendJobDeps) {
  return startJobs<ResendJobDocument>({
    ...deps,
    name: 'resend jobs',
    every: sweepEvery,
    longest: restingSweep,
    begin: () => (job) => step(job, deps),
  });
}

async function step(job: ResendJobDocument, deps: ResendJobDeps): Promise<Partial<ResendJobDocument>> {
  const { deliveries, record, queue, clock } = deps;
  if (job.entry !== null) await record([job.entry]);
  if (job.state !== 'running') return { entry: null, due: undefined };
  const found = await deliveries.oldest(idsLeft(filterOf(job.filter), job), stepSize);
  const last = found.at(-1);
  if (!last) {
    const now = clock.now();
    const summary = `The resend that ${job.by} began is complete: ${counted(job.resent, 'delivery', 'deliveries')} put back into the queue.`;
    return { state: 'done', finished_at: isoTime(now), entry: jobEntry(job, 'done', summary, now) };
  }
  const sent = await Promise.all(found.map((one) => (isErased(one) ? null : resend(one, job.by, deps))));
  queue.kick();
  return { cursor: last._id, resent: job.resent + sent.filter((one) => one !== null).length, entry: null };
}

export async function cancelResend(
  { id, by = someone }: RequestInput<'evaluation.resend-job.cancel.v1'>,
  { jobs, record, clock }: ResendJobDeps,
): Promise<ResendJob> {
  await jobs.cancel(id, async (job) => {
    if (job.entry !== null) await record([job.entry]);
    const now = clock.now();
    const summary = `The resend that ${job.by} began was cancelled by ${by}: ${job.resent} of ${job.matching} were put back into the queue.`;
    const entry = jobEntry(job, 'cancelled', summary, now);
    return { state: 'cancelled', finished_at: isoTime(now), entry, due: now };
  });
  return getResend(id, jobs);
}

export const getResend = async (id: string, jobs: ResendJobs): Promise<ResendJob> => withId(await jobs.existing(id));

function jobEntry(
  { _id, process_id, filter }: ResendJobDocument,
  step: string,
  summary: string,
  now: number,
): NewAuditEntry {
  return auditEntry({
    uid: `${_id}:${step}`,
    timestamp: isoTime(now),
    event_type: 'delivery_resent',
    source: 'manual',
    summary,
    process_id,
    details: { job: _id, filter },
  });
}
