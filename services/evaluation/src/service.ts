import type { DeadLetter, Settlement } from '@order-automation/bus';
import { type EventReceived, events, type OrderChange } from '@order-automation/contracts';
import { type Service, type ServiceDeps, startRelay } from '@order-automation/service';
import type { EvaluationConfig } from './config';
import { openEvaluations } from './evaluations';
import { finish, finishAtOnce, reportDone } from './finish';
import { freshness } from './freshness';
import { orderLocks } from './order-locks';
import { openPayments } from './payments';
import { candidatesFor, prepareEvents } from './prepare';
import { hasPending } from './progress';
import { act, claim, decide, type RoundDeps } from './rounds';
import { openRuleCache } from './rule-cache';
import { isPassing, setBack, sweepEvery, sweptEvents, takeOver } from './takeover';
import { evaluationTelemetry } from './telemetry';
import { type Work, workOfChange, workOfEvent } from './work';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds a done document is kept: longer than intake can repeat an event (35 days). */
const keepDone = 40 * day;

/** Occurrence to rules to verdicts to actions (docs/decisions/0001, step 3). */
export async function startEvaluation(deps: ServiceDeps, _config: EvaluationConfig): Promise<Service> {
  const { bus, store, clock, log } = deps;
  const evaluations = await openEvaluations(store);
  const payments = await openPayments(store);
  const rules = await openRuleCache(deps);
  const fresh = freshness();
  const locks = orderLocks();
  const telemetry = evaluationTelemetry(deps);
  const round: RoundDeps = { bus, log, clock, evaluations, fresh, telemetry };

  /** Resolves with the works that broke the engine, or could not be stored, before they were claimed; rejects when a part was away before a claim. */
  const run = async (works: readonly Work[], broken = new Map<Work, unknown>()): Promise<Map<Work, unknown>> => {
    const finishing: Promise<void>[] = [];
    /** What could not be told is claimed after all, for the sweep to take up. */
    const claimLate = async (late: readonly Work[], error: unknown): Promise<void> => {
      try {
        await setBack(await claim(late, round), error, round);
      } catch (failure) {
        for (const work of late) broken.set(work, failure);
      }
    };
    await locks.inRounds(
      works.filter((work) => !broken.has(work)),
      ({ document }) => document.order_id,
      async (batch) => {
        for (const [work, error] of await decide(batch, round)) broken.set(work, error);
        const decided = batch.filter((work) => !broken.has(work));
        const [acting, quiet] = partition(decided, ({ document }) => hasPending(document));
        finishing.push(finishAtOnce(quiet, round).catch((error: unknown) => claimLate(quiet, error)));
        const mine = await claim(acting, round);
        try {
          await act(mine, round);
        } catch (error) {
          return setBack(mine, error, round);
        }
        finishing.push(finish(mine, round).catch((error: unknown) => setBack(mine, error, round)));
      },
    );
    await Promise.all(finishing);
    return broken;
  };

  const onEvents = async (received: readonly EventReceived[]): Promise<Settlement[]> => {
    const works = received.map((data) => workOfEvent(data));
    const broken = await prepareEvents(received, works, bus, rules.current(), fresh, payments);
    return settlements(works, await run(works, broken));
  };

  const onChanges = async (changes: readonly OrderChange[]): Promise<Settlement[]> => {
    const works = changes.map((change) => workOfChange(change));
    for (const work of works) work.candidates = candidatesFor(work.document, rules.current());
    const [listened, ignored] = partition(
      works,
      ({ document, candidates }) => candidates.length > 0 || document.outcome !== null,
    );
    for (const { document } of ignored) document.outcome = 'no_rules';
    const broken = await run(listened);
    await reportDone(ignored, round);
    return settlements(works, broken);
  };

  /** The bus gave an event up because the engine breaks on it: the log says so, and whoever handed it over is told. */
  const onDeadLetter = async ({ id, type, group, error, message }: DeadLetter): Promise<void> => {
    if (group !== 'evaluation' || isPassing(error)) return;
    telemetry.gaveUp(id, error);
    const data = (message as { data?: unknown } | null)?.data;
    const event = type === 'intake.event-received.v1' ? events[type].safeParse(data).data : undefined;
    const change = type === 'shop.order-changed.v1' ? events[type].safeParse(data).data : undefined;
    const work = event ? workOfEvent(event) : change ? workOfChange(change) : undefined;
    if (!work) return;
    work.document.outcome = 'dead';
    const [failure] = (await run([work])).values();
    if (failure !== undefined) throw failure;
  };

  const subscriptions = [
    await bus.subscribe(
      'intake.event-received.v1',
      'evaluation',
      (messages) => onEvents(messages.map(({ data }) => data)),
      {
        maxBatch: 96,
        concurrency: 8,
      },
    ),
    await bus.subscribe(
      'shop.order-changed.v1',
      'evaluation',
      (messages) => onChanges(messages.map(({ data }) => data)),
      {
        maxBatch: 256,
      },
    ),
  ];

  const expired = sweptEvents(round);
  const sweep = startRelay({
    name: 'evaluation takeover',
    pending: (_olderThan, limit) => expired(limit),
    send: (documents) => takeOver(documents, { ...round, rules, locks }),
    every: sweepEvery,
    batch: 256,
    patience: 0,
    clock,
    log,
  });
  const cleaning = setInterval(() => {
    evaluations.purge(clock.now() - keepDone).catch((error: unknown) => log.warn({ err: error }, 'cleaning up failed'));
  }, day / 24);
  cleaning.unref();

  bus.onDeadLetter((letter) => {
    onDeadLetter(letter).catch((error: unknown) =>
      log.error({ err: error, id: letter.id }, 'dead letter not recorded'),
    );
  });

  return {
    close: async () => {
      clearInterval(cleaning);
      for (const subscription of subscriptions) await subscription.close();
      await sweep.close();
      await rules.close();
    },
  };
}

function settlements(works: readonly Work[], broken: ReadonlyMap<Work, unknown>): Settlement[] {
  return works.map((work) => (broken.has(work) ? { kind: 'retry', error: broken.get(work) } : { kind: 'done' }));
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const yes: Item[] = [];
  const no: Item[] = [];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}
