import { type Message, message, mostEventsDone, type NewAuditEntry } from '@order-automation/contracts';
import { receivedEntry } from '@order-automation/service';
import { duplicateKeyIndexes } from '@order-automation/store';
import { entriesOf } from './entries';
import type { EvaluationDocument } from './evaluations';
import { outcomeOf } from './progress';
import type { RoundDeps } from './rounds';
import { type DoneWork, eventDone, type Work } from './work';

/** Hands the entries to audit, stores the outcome, reports the events done. Nothing is reported before it is stored. */
export async function finish(works: readonly Work[], deps: RoundDeps): Promise<void> {
  if (works.length === 0) return;
  const now = deps.clock.now();
  end(works, now);
  await tell(works, now, deps);
  await deps.evaluations.finish(
    works.map(({ document }) => document),
    now,
  );
  await report(works, now, deps);
}

/**
 * As `finish`, for works after whose verdicts nothing is to be done: nobody has to claim them, and they are stored once, as done, when the log
 * has been told. Rejects when a part is away, with the works as they were.
 */
export async function finishAtOnce(works: readonly Work[], deps: RoundDeps): Promise<void> {
  const fresh = await unknownOnes(works, deps);
  if (fresh.length === 0) return;
  const now = deps.clock.now();
  const done = fresh.map((work): Work => ({ ...work, document: { ...work.document, state: 'done' } }));
  end(done, now);
  await tell(done, now, deps);
  await report(await newOnes(done, (documents) => deps.evaluations.insertDone(documents), deps), now, deps);
}

/** An event that came again may be claimed, with something to do after other verdicts: that is not for us to tell. */
async function unknownOnes(works: readonly Work[], deps: RoundDeps): Promise<readonly Work[]> {
  if (works.length === 0) return works;
  const known = await deps.evaluations.byIds(works.map(({ document }) => document._id));
  if (known.length === 0) return works;
  await reportKnown(works, known, deps);
  const ids = new Set(known.map(({ _id }) => _id));
  return works.filter(({ document }) => !ids.has(document._id));
}

function end(works: readonly Work[], now: number): void {
  for (const { document } of works) {
    document.outcome ??= document.mismatch ? 'amount_mismatch' : outcomeOf(document.steps);
    document.rules = document.steps.map(({ rule_id }) => rule_id);
    document.matched = document.steps.filter(({ matched }) => matched).map(({ rule_id }) => rule_id);
    document.done_at = now;
  }
}

async function tell(works: readonly Work[], now: number, deps: RoundDeps): Promise<void> {
  const entries: NewAuditEntry[] = [];
  for (const { document, received } of works) {
    if (received) entries.push(receivedEntry(received));
    entries.push(...entriesOf(document, now));
  }
  await record(entries, deps);
}

const record = (entries: NewAuditEntry[], { bus }: RoundDeps) => bus.request('audit.record.v1', { entries });

async function report(works: readonly Work[], now: number, deps: RoundDeps): Promise<void> {
  if (works.length === 0) return;
  await reportDone(works, deps);
  deps.telemetry.eventsDone(
    works.map(({ document }) => document),
    now,
  );
}

/** Inserts the documents of works; gives back the works that are new. The others came again. */
export async function newOnes(
  works: readonly Work[],
  insert: (documents: readonly EvaluationDocument[]) => Promise<unknown>,
  deps: RoundDeps,
): Promise<readonly Work[]> {
  if (works.length === 0) return works;
  try {
    await insert(works.map(({ document }) => document));
    return works;
  } catch (error) {
    const duplicates = duplicateKeyIndexes(error);
    if (!duplicates) throw error;
    const taken = new Set(duplicates);
    const again = works.filter((_, index) => taken.has(index));
    await reportKnown(again, await deps.evaluations.byIds(again.map(({ document }) => document._id)), deps);
    return works.filter((_, index) => !taken.has(index));
  }
}

/** Of works that came again those that are done are reported done again, and the log hears of their reception if it has not yet. */
async function reportKnown(
  works: readonly Work[],
  known: readonly EvaluationDocument[],
  deps: RoundDeps,
): Promise<void> {
  const done = new Map(known.flatMap((document) => (document.state === 'done' ? [[document._id, document]] : [])));
  const again = works.flatMap(({ document: { _id }, received }): DoneWork[] => {
    const document = done.get(_id);
    return document ? [{ document, received }] : [];
  });
  const entries = again.flatMap(({ received }) => (received ? [receivedEntry(received)] : []));
  if (entries.length > 0) await record(entries, deps);
  await reportDone(again, deps);
}

/** Tells whoever handed the events over that they need not keep them. */
export async function reportDone(
  works: readonly DoneWork[],
  { bus, clock }: Pick<RoundDeps, 'bus' | 'clock'>,
): Promise<void> {
  const now = clock.now();
  const messages: Message<'evaluation.events-done.v1'>[] = [];
  for (let from = 0; from < works.length; from += mostEventsDone) {
    const events = works.slice(from, from + mostEventsDone).map(eventDone);
    messages.push(message('evaluation.events-done.v1', { events }, { now }));
  }
  if (messages.length > 0) await bus.publish(messages);
}
