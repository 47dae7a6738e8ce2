import { delayAfter } from '@order-automation/bus';
import { type DeliveryAttempt, isoTime } from '@order-automation/contracts';
import { maxAttempts } from '../attempts/failures';
import type { DeliveryDocument, FailureCause } from './document';
import { deadLetterEntry, deliveredEntry, waitingEntry } from './entries';

/**
 * What came of one try. `unsent`: it cannot be sent as it is (an address that is never called, a secret that is gone). `held`: the host failed too
 * often lately and was not asked. Texts hold nothing secret.
 */
export type Tried = { readonly message: string } & (
  | (Answered & { readonly kind: 'delivered' })
  /** `isFinal`: some of it has arrived, so that another try would deliver that again. */
  | (Answered & Failure & { readonly kind: 'failed'; readonly isFinal?: boolean })
  | { readonly kind: 'unsent' }
  | { readonly kind: 'held' }
);

type Answered = { readonly status: number | null; readonly answer: string | null };
/** `asked`: milliseconds for which the other side asks to be left alone. */
type Failure = { readonly cause: FailureCause; readonly message: string; readonly asked?: number | null };

/** When, and how long it took; `giveUpAfter` is how long a cause is tried again, while this process runs. Milliseconds. */
export type Timing = {
  readonly at: number;
  readonly now: number;
  readonly startedAt: number;
  readonly giveUpAfter: number;
  readonly holdFor: number;
};

/** The attempts that are kept: where something began to fail, and how it stands. */
const firstKept = 3;
const lastKept = 27;
const delays = { first: 500, longest: 60_000 } as const;

/** The delivery after one try: delivered, pending with its next try, or failed for good. `entry` is what the log is to say of it. */
export function afterTry(delivery: DeliveryDocument, tried: Tried, timing: Timing): DeliveryDocument {
  const { now } = timing;
  if (tried.kind === 'held') return held(delivery, tried.message, timing);
  if (tried.kind === 'unsent') return unsent(delivery, tried.message, timing);
  const noted = { ...delivery, ...withAttempt(delivery, tried, timing) };
  if (tried.kind === 'failed' && tried.isFinal) return givenUp({ ...noted, reason: tried.message }, now);
  if (tried.kind === 'failed') return failed(noted, tried, timing);
  const done = { ...noted, state: 'delivered', reason: null, next_attempt_at: null, ended_at: now } as const;
  return { ...done, entry: deliveredEntry(done, tried.message, now) };
}

function withAttempt(
  delivery: DeliveryDocument,
  tried: Extract<Tried, { kind: 'delivered' | 'failed' }>,
  { at, now }: Timing,
) {
  const attempt: DeliveryAttempt = {
    at: isoTime(at),
    took_ms: Math.max(0, Math.round(now - at)),
    status: tried.status,
    error: tried.kind === 'failed' ? tried.message : null,
    answer: tried.answer,
  };
  const attempts = [...delivery.attempts, attempt];
  if (attempts.length > firstKept + lastKept) attempts.splice(firstKept, 1);
  return { attempts, attempts_made: delivery.attempts_made + 1, tries: delivery.tries + 1 };
}

/** It counts as a refusal, but not among the attempts: no request left. */
function unsent(delivery: DeliveryDocument, why: string, timing: Timing): DeliveryDocument {
  const message = `${delivery.attempts_made === 0 ? 'Nothing was sent' : 'Nothing more was sent'}. ${why}`;
  return failed({ ...delivery, tries: delivery.tries + 1 }, { cause: 'refused', message }, timing);
}

function failed(delivery: DeliveryDocument, failure: Failure, timing: Timing): DeliveryDocument {
  const { cause, message: reason, asked } = failure;
  const { now, giveUpAfter } = timing;
  const isNew = delivery.failing_since[cause] === undefined;
  const since = failingSince(delivery.failing_since[cause] ?? now, timing);
  const refusals = delivery.refusals + (cause === 'refused' ? 1 : 0);
  const known = { ...delivery, refusals, reason, failing_since: { ...delivery.failing_since, [cause]: since } };
  const isOver = cause === 'refused' ? refusals >= maxAttempts : now - since >= giveUpAfter;
  if (isOver) return givenUp(known, now);
  const next = now + Math.max(delayAfter(delivery.tries, delays), asked ?? 0);
  // The last try is made at the end of `giveUpAfter`, not before.
  const waits = { ...known, next_attempt_at: cause === 'refused' ? next : Math.min(next, since + giveUpAfter) };
  return isNew ? { ...waits, entry: waitingEntry(waits, cause, now) } : waits;
}

/** The time in which nothing ran does not count, nor does one that is still to come: a clock that ran ahead has written it. */
const failingSince = (since: number, { now, startedAt }: Timing): number => Math.min(Math.max(since, startedAt), now);

/** It was not tried: nothing is counted. What has failed for longer than `giveUpAfter` is given up all the same. */
function held(delivery: DeliveryDocument, message: string, timing: Timing): DeliveryDocument {
  const { now, giveUpAfter, holdFor } = timing;
  const { unreachable = now, unavailable = now } = delivery.failing_since;
  const since = failingSince(Math.min(unreachable, unavailable), timing);
  if (now - since >= giveUpAfter) return givenUp(delivery, now);
  const waits = { ...delivery, reason: delivery.reason ?? message, next_attempt_at: now + holdFor };
  const isFirst = delivery.tries === 0 && delivery.reason === null;
  return isFirst ? { ...waits, entry: waitingEntry(waits, 'held', now) } : waits;
}

function givenUp(delivery: DeliveryDocument, now: number): DeliveryDocument {
  const dead = { ...delivery, state: 'failed', next_attempt_at: null, ended_at: now } as const;
  return { ...dead, entry: deadLetterEntry(dead, now) };
}

/** Sent again from the beginning, with the same key: what happened before stays in its attempts. */
export function rearmed(delivery: DeliveryDocument, now: number): DeliveryDocument {
  return {
    ...delivery,
    state: 'pending',
    queued_at: now,
    failing_since: {},
    tries: 0,
    refusals: 0,
    reason: null,
    next_attempt_at: now,
    ended_at: null,
    due: now,
  };
}
