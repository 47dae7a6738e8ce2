import type { KeyedCommand, Occurrence, OrderCommand, OrderContext } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import type { Evaluations } from './evaluations';
import { newOnes } from './finish';
import type { Freshness } from './freshness';
import { refreshContexts } from './prepare';
import { advance, factsOf, hasPending, pendingActions, remaining } from './progress';
import type { Telemetry } from './telemetry';
import type { Work } from './work';

export type RoundDeps = Pick<ServiceDeps, 'bus' | 'log' | 'clock'> & {
  evaluations: Evaluations;
  fresh: Freshness;
  telemetry: Telemetry;
};

/** Milliseconds a claimed event is left to the process that claimed it. */
export const leaseTime = 10_000;

/** Decides the first step of each work; gives back those on which the engine broke. */
export async function decide(works: readonly Work[], deps: RoundDeps): Promise<Map<Work, unknown>> {
  await refreshContexts(works, deps.bus, deps.fresh);
  const broken = new Map<Work, unknown>();
  for (const work of works) {
    try {
      takeStep(work, deps.clock.now());
    } catch (error) {
      broken.set(work, error);
    }
  }
  return broken;
}

/** Evaluates as far as `advance` goes; true when there is something new to store. */
export function takeStep(work: Work, now: number): boolean {
  const { document, context } = work;
  if (document.outcome !== null || !context || !document.occurrence) return false;
  fire(work, document.occurrence, context, now);
  const steps = advance(document, work.candidates, context, document.occurrence, now);
  document.steps.push(...steps);
  return steps.length > 0;
}

/** The triggers see the order as it is when the event comes to it, not as one rule leaves it to the next. */
function fire(work: Work, occurrence: Occurrence, context: OrderContext, now: number): void {
  if (work.document.firing) return;
  const facts = factsOf(context, occurrence, now);
  work.candidates = work.candidates.filter((rule) => rule.fires(occurrence, facts));
  work.document.firing = work.candidates.map(({ record }) => record.id);
}

/** Stores the documents as they are: the claim. Gives back those that are ours. */
export async function claim(works: readonly Work[], deps: RoundDeps): Promise<readonly Work[]> {
  const leaseUntil = deps.clock.now() + leaseTime;
  for (const work of works) {
    work.document.lease_until = leaseUntil;
  }
  return newOnes(works, (documents) => deps.evaluations.claim(documents), deps);
}

/** Runs what is decided, evaluates the rules that follow with the order as it then is, and so on until no rule is left. */
export async function act(works: readonly Work[], deps: RoundDeps): Promise<void> {
  let acting: readonly Work[] = works.filter(({ document }) => hasPending(document));
  while (acting.length > 0) {
    await applyPending(acting, deps);
    const followed = acting.filter(({ document, candidates }) => remaining(document, candidates).length > 0);
    await refreshContexts(followed, deps.bus, deps.fresh);
    const now = deps.clock.now();
    const changed = followed.filter((work) => takeStep(work, now));
    const next = changed.filter(({ document }) => hasPending(document));
    acting = await savedSteps(next, deps);
  }
}

/** Stores the steps, with the results so far; works whose fence has moved on belong to somebody else by now and are left out. */
export async function savedSteps(works: readonly Work[], deps: RoundDeps): Promise<readonly Work[]> {
  if (works.length === 0) return works;
  const documents = works.map(({ document }) => document);
  const { matchedCount } = await deps.evaluations.saveSteps(documents, deps.clock.now() + leaseTime);
  if (matchedCount === works.length) return works;
  const fences = new Map(
    (await deps.evaluations.byIds(documents.map(({ _id }) => _id))).map((one) => [one._id, one.fence]),
  );
  return works.filter(({ document }) => fences.get(document._id) === document.fence);
}

async function applyPending(works: readonly Work[], deps: RoundDeps): Promise<void> {
  const actions = works.flatMap(({ document }) => pendingActions(document).map((action) => ({ action, document })));
  const commands = actions.map(
    ({ action, document }): KeyedCommand => ({
      key: action.key,
      order_id: document.order_id as number,
      command: action.command as OrderCommand,
      expected: null,
      cause: { process_id: document.process_id, depth: document.cause.depth + 1, author: 'automation' },
    }),
  );
  const { results } = await deps.bus.request('shop.order.apply.v1', { commands, return_orders: false });
  const changed = new Set<number>();
  for (const [index, { action, document }] of actions.entries()) {
    const result = results[index];
    if (!result || result.key !== action.key) throw new Error('shop answered other commands than it was asked');
    if (result.status === 'stale') throw new Error('a command without an expected status cannot be stale');
    const { status, process_id: by, message: told, changes } = result;
    action.result = { status, by, message: told, changes };
    if (action.command?.kind !== 'add_note') changed.add(document.order_id as number);
  }
  deps.telemetry.actionsDone(actions.map(({ action }) => action));
  if (changed.size > 0) deps.fresh.changed([...changed]);
}
