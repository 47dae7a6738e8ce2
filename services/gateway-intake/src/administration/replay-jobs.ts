import {
  type EventFilter,
  newId,
  type ReplayJob,
  type RequestInput,
  type RequestOutput,
  type RuleVersionName,
  ServiceError,
} from '@order-automation/contracts';
import { type ServiceDeps, startRelay } from '@order-automation/service';
import type { Filter } from '@order-automation/store';
import type { InboxDocument } from '../inbox/documents';
import type { ReplayedState, ReplayJobDocument, ReplayJobs } from '../inbox/replay-job-documents';
import { replayBegun, replayEnded } from './change-entries';
import { recordChange, someone } from './change-log';
import { filterOf } from './events';
import { originalRules, type Replayed, type ReplayParts, replayAll } from './replay';

export type ReplayJobParts = ReplayParts & { readonly replayJobs: ReplayJobs };

/** Events of one step: one write for all of them. */
const stepSize = 100;
/** Events that are replayed before the answer. */
const maxBeforeAnswer = 500;
/** Milliseconds in which evaluation may finish a step before the next one is taken. */
const stepTimeout = 10_000;
const lookEvery = 25;
const sweepEvery = 1_000;

/** Starts a job for the finished events that pass the filter, or only counts them. */
export async function replayEvents(
  parts: ReplayJobParts,
  { filter, preview, rules, by = someone }: RequestInput<'intake.events.replay.v1'>,
): Promise<RequestOutput<'intake.events.replay.v1'>> {
  const states = statesOf(filter);
  const counts = await Promise.all(states.map((state) => parts.collections.inbox.count(wanted(filter, state))));
  const matching = counts.reduce((sum, count) => sum + count, 0);
  if (preview || matching === 0) return { matching, replayed: 0, remaining: matching, events: [] };
  const now = parts.clock.now();
  let job: ReplayJobDocument | null = await parts.replayJobs.insert(
    {
      _id: newId('rpl', now),
      state: 'running',
      filter,
      by,
      states,
      cursor: '',
      upto: newId('evt', now),
      matching,
      replayed: 0,
      ...(rules === 'original' && { rules, skipped: 0 }),
      started_at: new Date(now).toISOString(),
    },
    now,
  );
  let latest = job;
  await recordChange(parts, replayBegun(jobRecord(job)));
  const events: Replayed[] = [];
  while (job?.state === 'running' && events.length < maxBeforeAnswer) {
    const stepped: Step = await step(parts, job);
    events.push(...stepped.replayed);
    job = stepped.job;
    latest = job ?? latest;
  }
  if (job?.state === 'running') latest = (await parts.replayJobs.save(job, { lease_until: 0 }, now)) ?? latest;
  const { replayed, skipped = 0 } = latest;
  return { matching, replayed, remaining: Math.max(0, matching - replayed - skipped), events, job: jobRecord(latest) };
}

/** Finished ones first: a dead letter that is replayed counts as finished from then on, and is not walked a second time. */
function statesOf({ state }: EventFilter): ReplayedState[] {
  if (state === undefined) return ['done', 'dead'];
  return state === 'done' || state === 'dead' ? [state] : [];
}

/** Replays are not replayed with their originals; those that failed are. */
function wanted(filter: EventFilter, state: ReplayedState): Filter<InboxDocument> {
  return { ...filterOf({ ...filter, state }), ...(state === 'done' && { replay_of: { $exists: false } }) };
}

/** What is left of the job, oldest first. */
function remaining({ filter, cursor, upto }: ReplayJobDocument, state: ReplayedState): Filter<InboxDocument> {
  const { _id: range = {}, ...others } = wanted(filter, state) as { _id?: { $gte?: string; $lt?: string } };
  const { $gte, $lt = upto } = range;
  const from = cursor === '' ? ($gte === undefined ? {} : { $gte }) : { $gt: cursor };
  return { ...others, _id: { ...from, $lt: $lt < upto ? $lt : upto } };
}

/** `job` is null when this process has nothing to do with it any more. */
type Step = { readonly job: ReplayJobDocument | null; readonly replayed: readonly Replayed[] };

async function step(parts: ReplayJobParts, job: ReplayJobDocument): Promise<Step> {
  const { collections, replayJobs, clock } = parts;
  const [state, ...later] = job.states;
  if (state === undefined) return { job: await finish(parts, job), replayed: [] };
  const found = await collections.inbox.oldestOf(remaining(job, state), stepSize);
  const last = found.at(-1);
  if (!last) return { job: await replayJobs.save(job, { states: later, cursor: '' }, clock.now()), replayed: [] };
  const documents = await collections.payloads.join(found);
  const rules = job.rules && (await originalRulesOf(parts, documents));
  const chosen = rules ? documents.filter(({ _id }) => rules.has(_id)) : documents;
  const replayed = chosen.length === 0 ? [] : await replayAll(parts, chosen, job._id, rules);
  const skipped = rules && { skipped: (job.skipped ?? 0) + documents.length - chosen.length };
  const change = { cursor: last._id, replayed: job.replayed + chosen.length, ...skipped };
  return { job: await replayJobs.save(job, change, clock.now()), replayed };
}

/** Without those that were never evaluated. */
async function originalRulesOf(
  parts: ReplayJobParts,
  documents: readonly InboxDocument[],
): Promise<ReadonlyMap<string, readonly RuleVersionName[]>> {
  const asked = documents.map(async ({ _id }): Promise<[string, readonly RuleVersionName[]][]> => {
    try {
      return [[_id, await originalRules(parts, _id)]];
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 404 || error.status === 409)) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(asked)).flat());
}

async function finish(parts: ReplayJobParts, job: ReplayJobDocument): Promise<ReplayJobDocument | null> {
  const now = parts.clock.now();
  const done = await parts.replayJobs.save(job, { state: 'done', finished_at: new Date(now).toISOString() }, now);
  if (done) await recordChange(parts, replayEnded(jobRecord(done), null));
  return done;
}

/** Goes on with jobs that nobody works on: those that were too large for one answer, and those whose process has died. */
export function startReplayJobs(parts: ReplayJobParts & Pick<ServiceDeps, 'bus' | 'log'>) {
  const { bus, clock, log, replayJobs } = parts;
  let closing = false;
  const work = async (free: ReplayJobDocument): Promise<void> => {
    let job = await replayJobs.lease(free, clock.now());
    while (job?.state === 'running' && !closing) {
      const stepped: Step = await step(parts, job);
      job = stepped.job;
      await settled(parts, stepped.replayed, () => closing);
    }
    if (job?.state === 'running') await replayJobs.save(job, { lease_until: 0 }, clock.now());
  };
  const relay = startRelay<ReplayJobDocument>({
    name: 'replay jobs',
    pending: async (now) => (bus.status().ok && !closing ? replayJobs.free(now, 1) : []),
    send: async (jobs) => {
      for (const job of jobs) await work(job);
    },
    every: sweepEvery,
    batch: 2,
    clock,
    log,
  });
  return {
    close: async () => {
      closing = true;
      await relay.close();
    },
  };
}

/** Evaluation has finished these, or the step's time is over: a long replay does not crowd out what comes in. */
async function settled(
  { collections: { inbox } }: ReplayJobParts,
  replayed: readonly Replayed[],
  isClosing: () => boolean,
): Promise<void> {
  const ids = replayed.map(({ replay_id }) => replay_id);
  const deadline = performance.now() + stepTimeout;
  while (ids.length > 0 && !isClosing() && performance.now() < deadline) {
    if ((await inbox.inState(ids, 'accepted')).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
}

export async function listReplayJobs({ replayJobs }: ReplayJobParts): Promise<ReplayJob[]> {
  return (await replayJobs.newest()).map(jobRecord);
}

export async function getReplayJob({ replayJobs }: ReplayJobParts, id: string): Promise<ReplayJob> {
  const job = await replayJobs.byId(id);
  if (!job) throw new ServiceError(404, 'svc_replay_not_found', 'There is no replay with this id.', { id });
  return jobRecord(job);
}

export async function cancelReplayJob(
  parts: ReplayJobParts,
  { id, by = someone }: RequestInput<'intake.replay-job.cancel.v1'>,
): Promise<ReplayJob> {
  await getReplayJob(parts, id);
  const cancelled = await parts.replayJobs.cancel(id, new Date(parts.clock.now()).toISOString());
  const job = await getReplayJob(parts, id);
  if (cancelled) await recordChange(parts, replayEnded(job, by));
  return job;
}

function jobRecord(document: ReplayJobDocument): ReplayJob {
  const { _id: id, state, filter, by, matching, replayed, rules, skipped, started_at, finished_at = null } = document;
  const original = rules && { rules, skipped: skipped ?? 0 };
  return { id, state, filter, by, matching, replayed, ...original, started_at, finished_at };
}
