import { duration, type MoneyFinding, type RequestOutput, senderText } from '@order-automation/contracts';
import type { ServiceFigures } from '../overview';
import titles from './causes.json';

export type Cause = keyof typeof titles;
export const causes = Object.keys(titles) as Cause[];

/** Something that a person should look at now. `key` tells two of one cause apart; `path` is the page of the console that shows it. */
export type Problem = { readonly cause: Cause; readonly key: string; readonly text: string; readonly path: string };

/** One address that webhooks come to, as counted until now. */
export type Endpoint = Pick<
  RequestOutput<'intake.gateway.list.v1'>['gateways'][number],
  'name' | 'counts' | 'last_refusal'
>;

/** By endpoint: counts of the look before, and how many refusals came since something was accepted. */
export type Streaks = Readonly<Record<string, Readonly<Record<'accepted' | 'refused' | 'inARow', number>>>>;

/** What a look at the installation found. Times are milliseconds since the epoch. */
export type Observations = {
  readonly deadLetters: readonly { readonly at: number; readonly reason: string }[];
  readonly failedDeliveries: readonly { readonly at: number; readonly reason: string }[];
  readonly stuckDeliveries: NonNullable<ServiceFigures['evaluation']>['stuck']['hosts'];
  readonly endpoints: readonly Endpoint[];
  readonly oldestUnfinishedAt: number | null;
  /** Orders that are not as their money says. */
  readonly money: readonly MoneyFinding[];
  /** Why the log does not verify; null where it does. */
  readonly verification: { readonly reason: string | null; readonly firstBadId: number | null } | null;
  readonly ends: readonly {
    readonly what: string;
    readonly at: number;
    /** The sentence about it, where the usual one does not do. */
    readonly text?: string;
    /** The page that shows it; the licence without one. */
    readonly path?: string;
  }[];
};

const minute = 60_000;
const day = 24 * 60 * minute;

/** When something becomes a problem. Times in milliseconds. */
export const limits = {
  /** Refusals in a row from one sender. */
  refusals: 10,
  unfinished: 10 * minute,
  /** How far ahead an end is announced. */
  ahead: 14 * day,
  /** How long something that was given up counts as new. */
  recent: 60 * minute,
} as const;

/** Refusals in a row of each endpoint; a webhook that was accepted ends a row. A restart of the counters begins again at zero. */
export function streaksAfter(before: Streaks, endpoints: readonly Endpoint[]): Streaks {
  return Object.fromEntries(
    endpoints.map(({ name, counts: { accepted, refused } }) => {
      const { [name]: known = { accepted, refused, inARow: 0 } } = before;
      const inARow = accepted === known.accepted ? known.inARow + Math.max(0, refused - known.refused) : 0;
      return [name, { accepted, refused, inARow }];
    }),
  );
}

/** Every problem there is now, from the most urgent cause to the least. */
export function problemsOf(seen: Observations, streaks: Streaks, now: number): Problem[] {
  return [
    ...unfinishedProblem(seen, now),
    ...givenUp('dead_letter', seen.deadLetters, now),
    ...givenUp('delivery_failed', seen.failedDeliveries, now),
    ...stuckProblems(seen, now),
    ...seen.endpoints.flatMap((endpoint) => refusedProblem(endpoint, streaks)),
    ...seen.money.map(moneyProblem),
    ...verifyProblem(seen),
    ...seen.ends.filter(({ at }) => at - now <= limits.ahead).map((end) => endProblem(end, now)),
  ];
}

function unfinishedProblem({ oldestUnfinishedAt: at }: Observations, now: number): Problem[] {
  if (at === null || now - at < limits.unfinished) return [];
  const text = `The oldest unfinished event has waited for ${duration(now - at)}: events are accepted faster than they are evaluated, or something that evaluation needs is unavailable.`;
  return [{ cause: 'oldest_unfinished', key: 'oldest_unfinished', text, path: '/events?state=accepted' }];
}

/** What can be given up, one and many of it, and the page that lists it. */
const losses = {
  dead_letter: { one: 'event', many: 'events', path: '/events?state=dead' },
  delivery_failed: { one: 'delivery', many: 'deliveries', path: '/deliveries?state=failed' },
} as const;

function givenUp(cause: keyof typeof losses, all: Observations['deadLetters'], now: number): Problem[] {
  const recent = all.filter(({ at }) => now - at < limits.recent);
  const [newest] = [...recent].sort((a, b) => b.at - a.at);
  if (!newest) return [];
  const { one, many, path } = losses[cause];
  const lost = recent.length === 1 ? `1 ${one} was` : `${recent.length} ${many} were`;
  const text = `${lost} given up in the last ${duration(limits.recent)}. The newest: ${newest.reason}`;
  return [{ cause, key: `${cause}:${newest.at}`, text, path }];
}

/** One problem a host, so that a further one is said too. */
function stuckProblems({ stuckDeliveries }: Observations, now: number): Problem[] {
  return stuckDeliveries.map(({ host, total, since }) => {
    const many = total === 1 ? '1 delivery waits' : `${total} deliveries wait`;
    const text = `${many} for ${host}, which does not accept ${total === 1 ? 'it' : 'them'}: the oldest for ${duration(now - Date.parse(since))}.`;
    return { cause: 'deliveries_stuck', key: `deliveries_stuck:${host}`, text, path: '/deliveries?state=pending' };
  });
}

function refusedProblem({ name, last_refusal }: Endpoint, streaks: Streaks): Problem[] {
  const inARow = streaks[name]?.inARow ?? 0;
  if (inARow < limits.refusals) return [];
  const text = `The last ${inARow} webhooks from ${senderText(name)} were refused${last_refusal ? `: ${last_refusal.text}` : '.'}`;
  return [{ cause: 'sender_refused', key: `sender_refused:${name}`, text, path: '/connections' }];
}

const moneyProblem = ({ order_id, law, text, cure }: MoneyFinding): Problem => ({
  cause: 'money',
  key: `money:${order_id}:${law}`,
  text: `${text} ${cure}`,
  path: `/orders/${order_id}`,
});

function verifyProblem({ verification }: Observations): Problem[] {
  if (verification === null) return [];
  const { firstBadId, reason } = verification;
  const where = firstBadId === null ? '' : ` at entry ${firstBadId}`;
  const text = `The log fails verification${where}: ${reason ?? 'it was edited, cut or inserted into'}.`;
  return [{ cause: 'verify_failed', key: `verify_failed:${firstBadId ?? ''}`, text, path: '/settings?part=log' }];
}

function endProblem(
  { what, at, text, path = '/settings?part=licence' }: Observations['ends'][number],
  now: number,
): Problem {
  const when = new Date(at).toISOString().slice(0, 10);
  const usual = at <= now ? `${what} ended on ${when}.` : `${what} ends on ${when}, in ${duration(at - now)}.`;
  const key = `ends_soon:${what}:${at}${at <= now ? ':ended' : ''}`;
  return { cause: 'ends_soon', key, text: text ?? usual, path };
}
