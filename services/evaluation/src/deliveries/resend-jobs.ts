import {
  auditEntry,
  isoTime,
  type NewAuditEntry,
  newId,
  newProcessId,
  type RequestInput,
  type RequestOutput,
  type ResendJob,
  ServiceError,
} from '@order-automation/contracts';
import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import { counted } from '../sentences';
import { filterOf } from './document';
import { isErased, type ResendDeps, resend, someone } from './resend';
import type { ResendJobDocument, ResendJobs } from './resend-job-document';

export type ResendJobDeps = ResendDeps & Pick<ServiceDeps, 'log'> & { readonly jobs: ResendJobs };

/** Deliveries that are put back between two looks at the job: it may have been cancelled. */
const stepSize = 50;
const sweepEvery = 500;

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
  return { matching, job: jobRecord(job) };
}

/** Works on jobs, also on those whose process has died. */
export function startResendJobs(deps: ResendJobDeps): Relay {
  const { jobs, clock, log } = deps;
  return startRelay<ResendJobDocument>({
    name: 'resend jobs',
    pending: (now, limit) => jobs.due(now, limit),
    send: async (found) => {
      for (const job of found) await work(job, deps);
    },
    every: sweepEvery,
    batch: 2,
    clock,
    log,
  });
}

async function work(found: ResendJobDocument, deps: ResendJobDeps): Promise<void> {
  const { jobs, record, clock } = deps;
  let job = await jobs.take(found, clock.now());
  while (job) {
    if (job.entry !== null) await record([job.entry]);
    if (job.state !== 'running') {
      await jobs.close(job);
      return;
    }
    job = await jobs.save(job, { entry: null, ...(await step(job, deps)) }, clock.now());
    deps.queue.kick();
  }
}

async function step(job: ResendJobDocument, deps: ResendJobDeps): Promise<Partial<ResendJobDocument>> {
  const { deliveries, clock } = deps;
  const found = await deliveries.oldest(remaining(job), stepSize);
  const last = found.at(-1);
  if (!last) {
    const now = clock.now();
    const summary = `The resend that ${job.by} began is complete: ${counted(job.resent, 'delivery', 'deliveries')} put back into the queue.`;
    return { state: 'done', finished_at: isoTime(now), entry: jobEntry(job, 'done', summary, now) };
  }
  const sent = await Promise.all(found.map((one) => (isErased(one) ? null : resend(one, job.by, deps))));
  return { cursor: last._id, resent: job.resent + sent.filter((one) => one !== null).length };
}

function remaining({ filter, cursor, upto }: ResendJobDocument) {
  const { _id: range = {}, ...others } = filterOf(filter) as { _id?: { $gte?: string; $lt?: string } };
  const { $gte, $lt = upto } = range;
  const from = cursor === '' ? ($gte === undefined ? {} : { $gte }) : { $gt: cursor };
  return { ...others, _id: { ...from, $lt: $lt < upto ? $lt : upto } };
}

export async function cancelResend(
  { id, by = someone }: RequestInput<'evaluation.resend-job.cancel.v1'>,
  { jobs, record, clock }: ResendJobDeps,
): Promise<ResendJob> {
  for (;;) {
    const job = await existingJob(id, jobs);
    if (job.state !== 'running') return jobRecord(job);
    if (job.entry !== null) await record([job.entry]);
    const now = clock.now();
    const summary = `The resend that ${job.by} began was cancelled by ${by}: ${job.resent} of ${job.matching} were put back into the queue.`;
    const cancelled = {
      state: 'cancelled',
      finished_at: isoTime(now),
      entry: jobEntry(job, 'cancelled', summary, now),
    } as const;
    if (await jobs.end(job, cancelled, now)) return jobRecord({ ...job, ...cancelled });
  }
}

export async function getResend(id: string, jobs: ResendJobs): Promise<ResendJob> {
  return jobRecord(await existingJob(id, jobs));
}

async function existingJob(id: string, jobs: ResendJobs): Promise<ResendJobDocument> {
  const job = await jobs.byId(id);
  if (!job) throw new ServiceError(404, 'svc_resend_not_found', 'There is no resend with this id.', { id });
  return job;
}

export function jobRecord(document: ResendJobDocument): ResendJob {
  const { _id: id, state, filter, by, matching, resent, started_at, finished_at } = document;
  return { id, state, filter, by, matching, resent, started_at, finished_at };
}

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
