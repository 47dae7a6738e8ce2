import type { Answer } from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import type { Clock } from '@order-automation/service';
import type { Evaluations } from '../attempts/evaluations';
import type { RuleCache } from '../deciding/rule-cache';
import { candidateOf, judgedEvent } from './judge';

/** All that judging past events has: what is done, and the rules as they are. */
export type JudgeDeps = {
  readonly evaluations: Pick<Evaluations, 'recorded' | 'countRecorded'>;
  readonly rules: Pick<RuleCache, 'current'>;
  readonly registry: Registry;
  readonly clock: Clock;
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
};

/** One page of events that are done, newest first, with what a rule would have made of each, and the saved one beside it. Reads alone. */
export const judgeEvents: Answer<'evaluation.events.judge.v1', JudgeDeps> = async (
  { candidate, saved, from, to, cursor, limit },
  { evaluations, rules, registry, clock, timeZone },
) => {
  const range = {
    from: from === null ? 0 : Date.parse(from),
    to: Math.min(cursor?.before ?? Number.POSITIVE_INFINITY, to === null ? clock.now() : Date.parse(to)),
  };
  const seen = new Set(cursor?.seen);
  const found = await evaluations.recorded(range, limit + seen.size);
  const page = found.filter(({ _id }) => !seen.has(_id)).slice(0, limit);
  const last = page.at(-1)?.done_at ?? 0;
  const positions = new Map(rules.current().all.map(({ record }) => [record.id, record.position]));
  const judged = candidateOf(candidate, positions, registry);
  const beside = saved && candidateOf(saved, positions, registry);
  // Test webhooks are evaluated too, and nothing of them is carried out.
  const real = page.filter(({ cause }) => !cause.is_test);
  const isEnd = page.length < limit || judged === null;
  const sameMoment = found.filter(
    ({ _id, done_at }) => done_at === last && (seen.has(_id) || page.some((one) => one._id === _id)),
  );
  return {
    total: cursor === null ? await evaluations.countRecorded(range) : null,
    events: judged === null ? [] : real.map((document) => judgedEvent(document, judged, beside, timeZone)),
    next: isEnd ? null : { before: last, seen: sameMoment.map(({ _id }) => _id) },
  };
};
