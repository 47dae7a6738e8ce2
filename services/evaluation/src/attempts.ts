import type { Clock } from '@order-automation/service';
import { deadLetterEntry } from './entries';
import { type EvaluationDocument, newDocument } from './evaluations';
import { backoff, isDelayed, isTransient, LeaseLost, mostAttempts, reasonOf } from './failures';
import { eventDone } from './finish';
import type { RecordEntries } from './ports/audit';
import type { Claims } from './ports/claims';
import type { ReportDone } from './ports/reports';
import { type Ended, type Ports, run } from './run';
import type { Task } from './task';
import type { Telemetry } from './telemetry';

export type AttemptDeps = {
  readonly ports: Ports;
  readonly claims: Claims;
  readonly record: RecordEntries;
  readonly report: ReportDone;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** Milliseconds for which an event is tried again that the shop fails on while it serves others. */
  readonly patience: number;
};

/**
 * Runs one event and classifies what goes wrong (decisions.md section 4): another process has it: nothing is said. Something is unavailable: it is
 * tried again with backoff, for ever. The shop fails on its order alone: the same for as long as an effect has patience. It fails by itself: a dead
 * letter after five tries. Rejects only when not even that can be stored.
 */
export async function attempt(
  task: Task,
  deps: AttemptDeps,
  document: EvaluationDocument = newDocument(task),
): Promise<Ended | 'failed'> {
  try {
    return await run(task, deps.ports, document);
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken';
    document.tries += 1;
    document.error = reasonOf(error);
    if (isDelayed(error)) document.delayed_since ??= deps.clock.now();
    else if (!isTransient(error)) document.attempts += 1;
    deps.telemetry.failed(document, error);
    try {
      if (document.attempts >= mostAttempts || (isDelayed(error) && isOver(document, deps)))
        return await giveUp(document, deps);
      return await putBack(document, deps);
    } catch (failure) {
      if (failure instanceof LeaseLost) return 'taken';
      throw failure;
    }
  }
}

function isOver({ delayed_since }: EvaluationDocument, { clock, patience }: AttemptDeps): boolean {
  return delayed_since !== undefined && clock.now() - delayed_since >= patience;
}

/** What was carried out so far is kept; a document that was never stored is stored for the next try. */
async function putBack(document: EvaluationDocument, { claims, clock }: AttemptDeps): Promise<'failed' | 'taken'> {
  document.state = 'open';
  document.outcome = null;
  const isOurs = await claims.save(document, clock.now() + backoff(document.tries));
  return isOurs ? 'failed' : 'taken';
}

async function giveUp(document: EvaluationDocument, deps: AttemptDeps): Promise<Ended> {
  const { claims, record, report, telemetry, clock } = deps;
  const now = clock.now();
  const { due: _, ...rest } = document;
  const attempts = Math.max(document.attempts, document.delayed_since === undefined ? 0 : document.tries);
  const dead: EvaluationDocument = { ...rest, attempts, state: 'dead', outcome: 'dead', done_at: now };
  dead.order_id ??= namedOrderId(dead);
  await record([deadLetterEntry(dead, dead.error ?? '', now)]);
  if (!(await claims.save(dead))) return 'taken';
  await report(eventDone(dead));
  telemetry.eventDone(dead, now);
  return 'dead';
}

/** The order that the event names, where the shop could not even be asked. */
function namedOrderId({ subject }: EvaluationDocument): number | null {
  const text = subject?.kind === 'event' ? subject.event.orderReference.order_id : null;
  const id = /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null;
  return id;
}
