import { BusError } from '@order-automation/bus';
import { newId, ServiceError } from '@order-automation/contracts';
import { isUnavailable } from '@order-automation/store';
import type { EvaluationDocument } from './evaluations';
import { finish } from './finish';
import type { OrderLocks } from './order-locks';
import { candidatesFor, refreshContexts } from './prepare';
import { hasPending } from './progress';
import { act, leaseTime, type RoundDeps, savedSteps, takeStep } from './rounds';
import type { RuleCache } from './rule-cache';
import { type Work, workOf } from './work';

/** Tries after which an event on which the engine or the shop breaks is given up. */
export const mostAttempts = 5;

/** True when a part was away: waiting helps, and does not count as a try. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 503;
  return error instanceof BusError || isUnavailable(error);
}

/** Leaves claimed events to the sweep. When even that cannot be stored, their lease runs out. */
export async function setBack(works: readonly Work[], error: unknown, deps: RoundDeps): Promise<void> {
  if (works.length === 0) return;
  deps.telemetry.setBack(error, works.length);
  const ids = works.map(({ document }) => document._id);
  await deps.evaluations.release(ids, deps.clock.now(), isPassing(error) ? 0 : 1).catch(() => undefined);
}

/** Milliseconds between two sweeps. */
export const sweepEvery = 1_000;

/** Open events whose lease has run out, oldest first. What a sweep sets back waits for the next one, however much there is to sweep. */
export function sweptEvents({ evaluations, clock }: Pick<RoundDeps, 'evaluations' | 'clock'>) {
  let expiredBefore = Number.NEGATIVE_INFINITY;
  return (limit: number): Promise<EvaluationDocument[]> => {
    const now = clock.now();
    if (now - expiredBefore >= sweepEvery) expiredBefore = now;
    return evaluations.expired(expiredBefore, limit);
  };
}

/** Continues open events whose lease has run out, from what their documents say (architecture, "The one promise", step 3). */
export async function takeOver(
  documents: readonly EvaluationDocument[],
  deps: RoundDeps & { rules: RuleCache; locks: OrderLocks },
): Promise<void> {
  const { evaluations, clock, rules, locks, telemetry } = deps;
  const now = clock.now();
  const ours = await evaluations.takeOver(documents, newId('run', now), now + leaseTime);
  const works = documents
    .filter(({ _id }) => ours.has(_id))
    .map((document) => {
      document.fence += 1;
      if (document.attempts >= mostAttempts) document.outcome = 'dead';
      const work = workOf(document);
      if (document.outcome !== 'dead') work.candidates = candidatesFor(document, rules.current());
      return work;
    });
  telemetry.takenOver(works.length);
  await locks.inRounds(
    works,
    ({ document }) => document.order_id,
    async (batch) => {
      try {
        await act(
          batch.filter(({ document }) => document.outcome !== 'dead'),
          deps,
        );
        await continueRules(batch, deps);
        await finish(batch, deps);
      } catch (error) {
        await setBack(batch, error, deps);
      }
    },
  );
}

/** Rules that were never reached, because the process died between an answer of the shop and the next step. */
async function continueRules(works: readonly Work[], deps: RoundDeps): Promise<void> {
  await refreshContexts(works, deps.bus, deps.fresh);
  const stepped = works.filter((work) => takeStep(work, deps.clock.now()));
  const acting = stepped.filter(({ document }) => hasPending(document));
  await act(await savedSteps(acting, deps), deps);
}
