import { retryOf } from '@order-automation/bus';
import { deadLetterEntry, doneSoFar, retryEntry } from '../entries/entries';
import { type EvaluationDocument, newDocument } from '../evaluation-document';
import { type Ended, type Ports, run } from '../run';
import { namedOrderId, type Task } from '../task';
import { LeaseLost, maxAttempts, reasonOf, retryDelay } from './failures';
import { emptied, eventDone, type FinishDeps } from './finish';
import type { WaitingRoom } from './waiting';

export type AttemptDeps = FinishDeps & {
  readonly ports: Ports;
  readonly waiting: Pick<WaitingRoom, 'leave' | 'look'>;
  /** Milliseconds for which an event is tried again that the shop fails on while it serves others. */
  readonly giveUpAfter: number;
  /** Milliseconds since the epoch: the time in which nothing ran does not count. */
  readonly startedAt: number;
};

/**
 * Runs one event and classifies what goes wrong (decisions.md section 4): another process has it: nothing is said. Something is unavailable: it is
 * tried again with backoff, for ever. The shop fails on its order alone: the same, but only for EFFECT_PATIENCE. It fails by itself: a dead
 * letter after five tries. Rejects only when not even that can be stored.
 */
export async function attempt(
  task: Task,
  deps: AttemptDeps,
  document: EvaluationDocument = newDocument(task),
): Promise<Ended | 'failed'> {
  const ended = await deps.claims.holding(document, () => tryOnce(task, deps, document));
  if (isOver(ended) && document.looks !== undefined) await deps.waiting.leave(document._id);
  return ended;
}

export const isOver = (ended: Ended | 'failed'): boolean =>
  ended !== 'waiting' && ended !== 'failed' && ended !== 'taken';

async function tryOnce(task: Task, deps: AttemptDeps, document: EvaluationDocument): Promise<Ended | 'failed'> {
  try {
    return await run(task, deps.ports, document);
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken';
    document.tries += 1;
    document.error = reasonOf(error);
    const retry = retryOf(error);
    if (retry === 'now') document.delayed_since = delayedSince(document, deps);
    else if (retry === 'later') delete document.delayed_since;
    else document.attempts += 1;
    deps.telemetry.failed(document, error);
    try {
      const { attempts, delayed_since: since } = document;
      const isPatienceOver = retry === 'now' && since !== undefined && deps.clock.now() - since >= deps.giveUpAfter;
      if (attempts >= maxAttempts || isPatienceOver) return await giveUp(document, deps);
      return await putBack(document, error, deps);
    } catch (failure) {
      if (failure instanceof LeaseLost) return 'taken';
      throw failure;
    }
  }
}

/** Its first failure, or the start of this process; a time that is still to come was written while a clock ran ahead. */
function delayedSince({ delayed_since }: EvaluationDocument, { clock, startedAt }: AttemptDeps): number {
  const now = clock.now();
  return Math.min(Math.max(delayed_since ?? now, startedAt), now);
}

/** Tries after which the log says that something is unavailable: about half a minute. */
const longOutage = 6;

/**
 * What was carried out so far is kept, and the log has it; a document that was never stored is stored for the next try. A reason is logged once: at
 * once where the event itself fails, after a while where something is unavailable, whatever else is unavailable after that.
 */
async function putBack(
  document: EvaluationDocument,
  error: unknown,
  { claims, clock, record }: AttemptDeps,
): Promise<'failed' | 'taken'> {
  const now = clock.now();
  const due = now + retryDelay(document.tries, error);
  const reason = document.error ?? '';
  const isOutage = retryOf(error) === 'later';
  const tells = isOutage
    ? document.reported === undefined && document.tries >= longOutage
    : document.reported !== reason;
  document.state = 'open';
  document.outcome = null;
  if (tells) document.reported = reason;
  if (!(await claims.save(document, due))) return 'taken';
  if (tells) {
    const entries = [...doneSoFar(document), retryEntry(document, reason, now, due)];
    // The end of the event tells the rest again: what the log does not take now is not lost.
    await record({ uid: document._id, process_id: document.process_id, entries }).catch(() => undefined);
  }
  return 'failed';
}

async function giveUp(document: EvaluationDocument, deps: AttemptDeps): Promise<Ended> {
  const { claims, record, report, followUps, telemetry, clock } = deps;
  const now = clock.now();
  const attempts = Math.max(document.attempts, document.delayed_since === undefined ? 0 : document.tries);
  const end = { attempts, state: 'dead', outcome: 'dead', done_at: now } as const;
  const dead: EvaluationDocument = { ...document, ...end };
  dead.order_id ??= namedOrderId(dead);
  const following = await followUps.claim(document);
  const entries = [...doneSoFar(dead), deadLetterEntry(dead, dead.error ?? '', now)];
  await record({ uid: dead._id, process_id: dead.process_id, entries });
  // It is replayed from what intake has.
  if (!(await claims.save({ ...dead, ...emptied(), facts: undefined }))) return 'taken';
  await report(eventDone(dead));
  telemetry.eventDone(dead, now);
  followUps.start(following);
  return 'dead';
}
