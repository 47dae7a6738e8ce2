import type { Bus } from '@order-automation/bus';
import type { Occurrence, RequestOutput } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';

export type Disabled = RequestOutput<'rules.disabled-listeners.v1'>;

/** The disabled rules that would have listened to an occurrence; undefined when nobody can say. Never rejects: they are a hint in the log. */
export type DisabledRules = (occurrence: Occurrence) => Promise<Disabled | undefined>;

/** Milliseconds that an answer counts: many events may fire no rule. */
const lifetime = 5_000;
const timeout = 500;
const maxKinds = 200;

/** `rules` are those that run now: answers from before a change of them do not count. */
export function disabledRulesPort(bus: Bus, clock: Clock, rules: () => unknown): DisabledRules {
  let before: unknown;
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<Disabled | undefined> }>();
  return ({ type, event_type, gateway }) => {
    if (before !== rules()) kept.clear();
    before = rules();
    const kind = JSON.stringify([type, event_type, gateway]);
    const known = kept.get(kind);
    if (known && known.until > clock.now()) return known.answer;
    const asked = bus.request('rules.disabled-listeners.v1', { type, event_type, gateway }, { timeout });
    const answer = asked.catch(() => undefined);
    if (kept.size >= maxKinds) kept.clear();
    kept.set(kind, { until: clock.now() + lifetime, answer });
    return answer;
  };
}
