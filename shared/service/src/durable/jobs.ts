import { delayAfter } from '@order-automation/bus';
import { type IdPrefix, idBound, ServiceError } from '@order-automation/contracts';
import type { Documents, IndexDescription, Store } from '@order-automation/store';
import type { ServiceDeps } from '../process/service';
import { type Leased, leasesOf } from './lease';
import { type Relay, startRelay } from './relay';

/** Long work in steps, one document; its progress is stored with every step. */
export type JobDocument = Leased & {
  /** Of a job that can be cancelled. */
  readonly state?: string;
  /** Failures in a row. */
  readonly tries?: number;
};

/** A document as an answer has it; what its contract does not name is left out on the way. */
export const withId = <T extends { readonly _id: string }>({ _id: id, ...fields }: T) => ({ id, ...fields });

const jobIndexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

/** Milliseconds after which another process may go on with a job. */
const leaseTime = 30_000;
const longestLease = 10 * leaseTime;
const maxListed = 100;

export type Jobs<T extends JobDocument> = Awaited<ReturnType<typeof openJobs<T>>>;

/** What the API calls a job of this kind, and the error of one that is not there. */
type JobNames = { readonly noun: string; readonly notFound: string };

/** The jobs of a collection, whose ids begin with the prefix. Rejects when the database is away. */
export async function openJobs<T extends JobDocument>(
  store: Store,
  name: string,
  prefix: IdPrefix,
  { noun, notFound }: JobNames = { noun: 'job', notFound: 'svc_job_not_found' },
) {
  const documents = await store.collection<T>(name, jobIndexes);
  const common = documents as unknown as Documents<JobDocument>;
  const { due, change, take } = leasesOf(documents, leaseTime, longestLease);
  const byId = async (_id: string) => (await common.findOne({ _id })) as T | null;
  const existing = async (id: string): Promise<T> => {
    const job = await byId(id);
    if (!job) throw new ServiceError(404, notFound, `There is no ${noun} with this id.`, { id });
    return job;
  };
  return {
    documents,
    due,
    change,
    take,
    byId,
    /** Rejects with 404. */
    existing,
    newest: async () =>
      (await common.find({}).sort({ _id: -1 }).limit(maxListed).toArray()) as readonly JobDocument[] as T[],
    insert: (job: T) => documents.insertOne(job),
    /** Held by the process that begins it. */
    insertLeased: async (job: Omit<T, 'fence' | 'due'>, now: number): Promise<T> => {
      const leased = { ...job, fence: 1, due: now + leaseTime } as unknown as T;
      await documents.insertOne(leased);
      return leased;
    },
    /** What a step has changed, with a new lease; a step that says `due: undefined` was the last. Null when the job was cancelled or taken over. */
    save: (job: T, changed: Partial<T>, now: number): Promise<T | null> =>
      change(job, { ...(job.tries && { tries: 0 }), due: now + leaseTime, ...changed }),
    /** Ends a job that runs, also while a process works on it. Null when it does not run any more; 404 when it is not there. */
    cancel: async (id: string, ended: (job: T) => Partial<T> | Promise<Partial<T>>): Promise<T | null> => {
      for (;;) {
        const job = await existing(id);
        if (job.state !== 'running') return null;
        const cancelled = await change(job, { due: undefined, ...(await ended(job)), fence: job.fence + 1 });
        // Otherwise its progress was saved since it was read.
        if (cancelled) return cancelled;
      }
    },
    purge: (time: number) => common.deleteMany({ _id: { $lt: idBound(prefix, time) } }),
  };
}

type IdRange = { readonly $gte?: string; readonly $lt?: string };

/** The ids of this prefix that were made between two times (ISO 8601), as a filter; an empty one where neither is given. */
export function idsBetween(prefix: IdPrefix, from: string | undefined, to: string | undefined): { _id?: IdRange } {
  if (from === undefined && to === undefined) return {};
  const $gte = from === undefined ? {} : { $gte: idBound(prefix, Date.parse(from)) };
  return { _id: { ...$gte, ...(to === undefined ? {} : { $lt: idBound(prefix, Date.parse(to) + 1) }) } };
}

/** Narrows a filter to the documents that a job has not come to: behind its `cursor`, and before `upto`, which came after it began. */
export function idsLeft<F extends object>(
  filter: F,
  { cursor, upto }: { readonly cursor: string; readonly upto: string },
): F {
  const { _id: { $gte, $lt = upto } = {} } = filter as { readonly _id?: IdRange };
  const from = cursor === '' ? ($gte === undefined ? {} : { $gte }) : { $gt: cursor };
  return { ...filter, _id: { ...from, $lt: $lt < upto ? $lt : upto } };
}

/** Does one step, and resolves with what it changed (see `Jobs.save`); with a time to come as `due` the job rests until then; null when it has removed the job. */
type Step<T> = (job: T) => Promise<Partial<T> | null>;

export type JobHandler<T extends JobDocument> = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly name: string;
  readonly jobs: Jobs<T>;
  /** Milliseconds between two looks for jobs. */
  readonly every: number;
  /** As that of a relay: for jobs whose maker kicks. */
  readonly longest?: number;
  /** Goes on with a job that this process has taken: what it holds in memory is that of this taking. */
  readonly begin: (job: T, isClosing: () => boolean) => Step<T> | Promise<Step<T>>;
  /** Runs before each look for jobs; false: none is taken now. */
  readonly beforeLook?: () => boolean | Promise<boolean>;
  /** True when the job was given up and removed; otherwise it is tried again with backoff, for ever. */
  readonly isGivenUp?: (job: T, tries: number, error: unknown) => Promise<boolean>;
  /** Milliseconds until the next try. */
  readonly backoff?: (tries: number, error: unknown) => number;
};

/** Jobs of one kind that a look takes, one after the other. */
const batch = 10;
const defaultBackoff = (tries: number): number => delayAfter(tries, { first: 1_000, longest: 30_000 });

/** Works on jobs until it is closed: those that are new, those that failed before, and those whose process has died. */
export function startJobs<T extends JobDocument>(handler: JobHandler<T>): Relay {
  const { jobs, beforeLook = () => true } = handler;
  let closing = false;
  const relay = startRelay<T>({
    ...handler,
    batch,
    pending: async (now, limit) => ((await beforeLook()) && !closing ? jobs.due(now, limit) : []),
    send: async (found) => {
      for (const job of found) if (!closing) await workOn(job, handler, () => closing);
    },
  });
  return {
    ...relay,
    close: async () => {
      closing = true;
      await relay.close();
    },
  };
}

async function workOn<T extends JobDocument>(found: T, handler: JobHandler<T>, isClosing: () => boolean) {
  const { jobs, begin, clock } = handler;
  let job = await jobs.take(found, clock.now());
  if (!job) return;
  try {
    const step = await begin(job, isClosing);
    while (job?.due !== undefined && !isClosing()) {
      const changed: Partial<T> | null = await step(job);
      job = changed && (await jobs.save(job, changed, clock.now()));
      if (changed?.due !== undefined && changed.due > clock.now()) return;
    }
  } catch (error) {
    if (job) await retryLater(job, error, handler);
    return;
  }
  // Another process goes on at once.
  if (job?.due !== undefined) await jobs.change(job, { due: clock.now() } as Partial<T>);
}

async function retryLater<T extends JobDocument>(job: T, error: unknown, handler: JobHandler<T>): Promise<void> {
  const { name, jobs, clock, log, isGivenUp, backoff = defaultBackoff } = handler;
  const tries = (job.tries ?? 0) + 1;
  log.warn({ err: error, job: job._id, tries }, `${name}: a step failed`);
  if (await isGivenUp?.(job, tries, error)) return;
  await jobs.change(job, { tries, due: clock.now() + backoff(tries, error) } as Partial<T>);
}
