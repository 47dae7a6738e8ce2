import { type Relay, restingSweep, type ServiceDeps, startRelay } from '@order-automation/service';
import { type EvaluationDocument, taskOf } from '../evaluation-document';
import { type AttemptDeps, attempt, isOver } from './attempts';
import type { Evaluations } from './evaluations';

/** Milliseconds between two sweeps, and events of one. */
const sweepEvery = 500;
const sweepBatch = 64;

export type SweepDeps = AttemptDeps & { readonly evaluations: Evaluations };

/** Takes one event over and runs it, unless another process is first. Resolves with whether it came to its end by that. */
export async function takeUp(document: EvaluationDocument, deps: SweepDeps): Promise<boolean> {
  const { claims, evaluations, waiting, telemetry, clock } = deps;
  const taken = await evaluations.take(document, clock.now(), { state: 'open' });
  if (!taken) return false;
  // It had ended: an earlier version could take up what ended at that moment.
  const ended = taken.outcome === 'dead' ? 'dead' : 'done';
  if (!taken.subject) {
    await claims.save({ ...taken, state: ended, due: undefined });
    return false;
  }
  telemetry.takenOver();
  if (taken.looks !== undefined) await waiting.look(taken._id);
  return isOver(await attempt(taskOf(taken), deps, taken));
}

/** Events whose lease has run out, whose next try is due, or which wait for an order that nobody has reported. */
export function startSweep(deps: SweepDeps, { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>): Relay {
  const { evaluations, telemetry } = deps;
  return startRelay({
    name: 'evaluation sweep',
    pending: async (_now, limit) => {
      const oldest = await evaluations.oldestOpen();
      telemetry.oldestOpen(oldest ? clock.now() - Date.parse(oldest.cause.received_at) : 0);
      return evaluations.due(clock.now(), limit);
    },
    send: async (documents) => {
      await Promise.all(documents.map((document) => takeUp(document, deps)));
    },
    every: sweepEvery,
    longest: restingSweep,
    batch: sweepBatch,
    clock,
    log,
  });
}
