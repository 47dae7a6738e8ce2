import type { WatchDocument } from '../collections/notifications';
import type { Edge } from '../http/edge';
import { type SoftAsk, serviceFigures } from '../overview';
import type { Observations } from './problems';

type Verified = WatchDocument['verified'];
export type Look = { readonly seen: Observations; readonly verified: Verified };

const timeout = 10_000;
const page = { page: 1, per_page: 100 } as const;
/** Milliseconds between two checks of what the log has added. */
const verifyEvery = 60 * 60_000;
/** Entries of one request are checked in one go; a look checks no more than this many requests' worth. */
const verifyRounds = 50;

/** Asks each service what a notification may be about. A service that does not answer adds nothing: its outage shows in what it delays. */
export async function observe(edge: Pick<Edge, 'ask' | 'now' | 'licence'>, before: Verified): Promise<Look> {
  const ask: SoftAsk = (type, input) => edge.ask(type, input, timeout).catch(() => undefined);
  const [letters, deliveries, gateways, connections, certificates, money, figures, verified] = await Promise.all([
    ask('intake.dead-letter.list.v1', page),
    ask('evaluation.delivery.list.v1', { filter: { state: 'failed' }, ...page }),
    ask('intake.gateway.list.v1', {}),
    ask('intake.connection.list.v1', {}),
    ask('intake.certificate.list.v1', {}),
    ask('evaluation.money.list.v1', {}),
    serviceFigures(ask),
    verifyNews(ask, before, edge.now()),
  ]);
  const { expires_at } = edge.licence;
  const endpoints = [
    ...(gateways?.gateways ?? []),
    ...(connections?.connections ?? []).map((each) => ({ ...each, name: `generic/${each.name}` })),
  ];
  const oldest_at = figures.intake?.oldest_at;
  return {
    verified,
    seen: {
      deadLetters: (letters?.dead_letters ?? []).map(({ finished_at, reason }) => letter(finished_at, reason)),
      failedDeliveries: (deliveries?.deliveries ?? []).map(({ ended_at, reason }) => letter(ended_at, reason)),
      endpoints,
      oldestUnfinishedAt: oldest_at === undefined || oldest_at === null ? null : Date.parse(oldest_at),
      stuckDeliveries: figures.evaluation?.stuck.hosts ?? [],
      money: money?.findings ?? [],
      verification: verified.problem,
      ends: [
        ...(expires_at === null ? [] : [{ what: 'The licence', at: Date.parse(expires_at) }]),
        ...(certificates?.certificates ?? []).map(({ id, valid_to }) => ({
          what: `The wallet's certificate ${id}`,
          at: Date.parse(valid_to),
          path: '/connections',
        })),
        ...endpoints.flatMap(({ warnings = [] }) =>
          warnings.flatMap(({ about, ends_at, text }) =>
            ends_at === null
              ? []
              : [{ what: `A secret of ${about}`, at: Date.parse(ends_at), text, path: '/connections' }],
          ),
        ),
      ],
    },
  };
}

const letter = (at: string | null, reason: string | null) => ({
  at: at === null ? 0 : Date.parse(at),
  reason: reason ?? 'no reason is known',
});

/** Once an hour what came since the last time; a problem stays one until a check of the same range finds none. */
async function verifyNews(ask: SoftAsk, before: Verified, now: number): Promise<Verified> {
  if (now - before.at < verifyEvery) return before;
  let [from, through] = [before.problem === null ? before.through : null, before.through];
  const continues = from === null;
  for (let round = 0; round < verifyRounds; round += 1) {
    const part = await ask('audit.log.verify.v1', { from_id: from, to_id: null, continues });
    if (part === undefined) return before;
    if (!part.valid)
      return { at: now, through: before.through, problem: { reason: part.reason, firstBadId: part.first_bad_id } };
    through = part.next_id ?? through;
    if (part.next_id === null) break;
    from = part.next_id;
  }
  return { at: now, through, problem: null };
}
