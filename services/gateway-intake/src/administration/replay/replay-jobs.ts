import {
  type Answer,
  type EventFilter,
  newId,
  type ReplayJob,
  type RuleVersionName,
  ServiceError,
} from '@order-automation/contracts';
import { idsLeft, type Relay, startJobs } from '@order-automation/service';
import type { Filter } from '@order-automation/store';
import type { Logger } from 'pino';
import type { InboxDocument } from '../../inbox/documents';
import { keyLifetime } from '../../inbox/documents';
import type { ReplayedState, ReplayJobDocument } from '../../inbox/replay-job-documents';
import { replayBegun, replayEnded } from '../change-log/change-entries';
import { recordChange, someone } from '../change-log/change-log';
import type { Parts } from '../parts';
import { filterOf, lookFor } from './events';
import { originalRules, type Replayed, replayAll } from './replay';

/** Events of one step: one write for all of them. */
const stepSize = 100;
const maxBeforeAnswer = 500;
/** Milliseconds in which evaluation may finish a step before the next one is taken. */
const stepTimeout = 10_000;
const sweepEvery = 1_000;

/** Starts a job for the finished events that pass the filter, or only counts them. */
export const replayEvents: Answer<'intake.events.replay.v1', Parts> = async (
  { filter, preview, rules, by = someone },
  parts,
) => {
  const states = statesOf(filter);
  const counts = await Promise.all(states.map((state) => parts.collections.inbox.count(wanted(filter, state))));
  const matching = counts.reduce((sum, count) => sum + count, 0);
  if (preview || matching === 0) return { matching, replayed: 0, remaining: matching, events: [] };
  const { replayJobs, clock } = parts;
  const now = clock.now();
  await replayJobs.purge(now - keyLifetime);
  let job: ReplayJobDocument = await replayJobs.insertLeased(
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
  await recordChange(parts, replayBegun(jobRecord(job)));
  const events: Replayed[] = [];
  while (job.due !== undefined && events.length < maxBeforeAnswer) {
    const { change, replayed } = await step(parts, job);
    events.push(...replayed);
    const saved: ReplayJobDocument | null = await replayJobs.save(job, change, clock.now());
    if (!saved) break;
    job = saved;
  }
  // Null where it was cancelled meanwhile.
  if (job.due !== undefined) await replayJobs.change(job, { due: now });
  const { replayed, skipped = 0 } = job;
  return { matching, replayed, remaining: Math.max(0, matching - replayed - skipped), events, job: jobRecord(job) };
};

/** Finished ones first: a dead letter that is replayed counts as finished from then on, and is not walked a second time. */
function statesOf({ state }: EventFilter): ReplayedState[] {
  if (state === undefined) return ['done', 'dead'];
  return state === 'done' || state === 'dead' ? [state] : [];
}

/** Replays are not replayed with their originals; those that failed are. */
function wanted(filter: EventFilter, state: ReplayedState): Filter<InboxDocument> {
  return { ...filterOf({ ...filter, state }), ...(state === 'done' && { replay_of: { $exists: false } }) };
}

type Step = { readonly change: Partial<ReplayJobDocument>; readonly replayed: readonly Replayed[] };

/** When all is replayed the job says so, and then its last step records it. */
async function step(parts: Parts, job: ReplayJobDocument): Promise<Step> {
  const { collections, clock } = parts;
  const [state, ...later] = job.states;
  if (job.state !== 'running') {
    await recordChange(parts, replayEnded(jobRecord(job), null), job._id);
    return { change: { due: undefined }, replayed: [] };
  }
  if (state === undefined)
    return { change: { state: 'done', finished_at: new Date(clock.now()).toISOString() }, replayed: [] };
  const found = await collections.inbox.oldestOf(idsLeft(wanted(job.filter, state), job), stepSize);
  const last = found.at(-1);
  if (!last) return { change: { states: later, cursor: '' }, replayed: [] };
  const documents = await collections.payloads.join(found);
  const rules = job.rules && (await originalRulesOf(parts, documents));
  const chosen = rules ? documents.filter(({ _id }) => rules.has(_id)) : documents;
  const replayed = chosen.length === 0 ? [] : await replayAll(parts, chosen, job._id, rules);
  const skipped = rules && { skipped: (job.skipped ?? 0) + documents.length - chosen.length };
  return { change: { cursor: last._id, replayed: job.replayed + chosen.length, ...skipped }, replayed };
}

/** Without those that were never evaluated. */
async function originalRulesOf(
  parts: Parts,
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

/** Goes on with jobs that were too large for one answer. */
export function startReplayJobs(parts: Parts & { readonly log: Logger }): Relay {
  return startJobs<ReplayJobDocument>({
    ...parts,
    name: 'replay jobs',
    jobs: parts.replayJobs,
    every: sweepEvery,
    beforeLook: () => parts.bus.status().ok,
    begin: (_job, isClosing) => {
      let inFlight: readonly Replayed[] = [];
      return async (job) => {
        await evaluated(parts, inFlight, isClosing);
        const { change, replayed } = await step(parts, job);
        inFlight = replayed;
        return change;
      };
    },
  });
}

/** Evaluation has finished these, or the step's time is over: a long replay does not crowd out what comes in. */
async function evaluated(
  { collections: { inbox } }: Parts,
  replayed: readonly Replayed[],
  isClosing: () => boolean,
): Promise<void> {
  const ids = replayed.map(({ replay_id }) => replay_id);
  if (ids.length === 0) return;
  await lookFor(stepTimeout, async () => isClosing() || (await inbox.inState(ids, 'accepted')).length === 0);
}

export const cancelReplayJob: Answer<'intake.replay-job.cancel.v1', Parts> = async ({ id, by = someone }, parts) => {
  const finished_at = new Date(parts.clock.now()).toISOString();
  const cancelled = await parts.replayJobs.cancel(id, () => ({ state: 'cancelled', finished_at }));
  if (cancelled) await recordChange(parts, replayEnded(jobRecord(cancelled), by));
  return { job: jobRecord(await parts.replayJobs.existing(id)) };
};

export function jobRecord(document: ReplayJobDocument): ReplayJob {
  const { _id: id, state, filter, by, matching, replayed, rules, skipped, started_at, finished_at = null } = document;
  const original = rules && { rules, skipped: skipped ?? 0 };
  return { id, state, filter, by, matching, replayed, ...original, started_at, finished_at };
}
