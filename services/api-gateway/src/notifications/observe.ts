import type { RequestInput, RequestOutput, RequestType } from '@order-automation/contracts';
import type { WatchDocument } from '../collections/notifications';
import type { Edge } from '../http/edge';
import type { Endpoint, Observations } from './problems';

type Verified = WatchDocument['verified'];
export type Look = { readonly seen: Observations; readonly verified: Verified };

const timeout = 10_000;
const page = { page: 1, per_page: 100 } as const;
const eventsPerPage = 200;
const maxPage = 1_000;
/** Milliseconds between two checks of what the log has added. */
const verifyEvery = 60 * 60_000;
/** Entries of one request are checked in one go; a look checks no more than this many requests' worth. */
const verifyRounds = 50;

/** Asks each service what a notification may be about. A service that does not answer adds nothing: its outage shows in what it delays. */
export async function observe(edge: Pick<Edge, 'ask' | 'now' | 'licence'>, before: Verified): Promise<Look> {
  const ask: Ask = (type, input) => edge.ask(type, input, timeout).catch(() => undefined);
  const [letters, deliveries, gateways, connections, certificates, oldest, verified] = await Promise.all([
    ask('intake.dead-letter.list.v1', page),
    ask('evaluation.delivery.list.v1', { filter: { state: 'failed' }, ...page }),
    ask('intake.gateway.list.v1', {}),
    ask('intake.connection.list.v1', {}),
    ask('intake.certificate.list.v1', {}),
    oldestUnfinished(ask),
    verifyNews(ask, before, edge.now()),
  ]);
  const { expires_at } = edge.licence;
  const { problem } = verified;
  return {
    verified,
    seen: {
      deadLetters: (letters?.dead_letters ?? []).map(({ finished_at, reason }) => letter(finished_at, reason)),
      failedDeliveries: (deliveries?.deliveries ?? []).map(({ ended_at, reason }) => letter(ended_at, reason)),
      endpoints: [
        ...(gateways?.gateways ?? []).map((each) => endpoint(each.name, each)),
        ...(connections?.connections ?? []).map((each) => endpoint(`generic/${each.name}`, each)),
      ],
      oldestUnfinishedAt: oldest,
      verification: problem === null ? null : { valid: false, ...problem },
      ends: [
        ...(expires_at === null ? [] : [{ what: 'The licence', at: Date.parse(expires_at) }]),
        ...(certificates?.certificates ?? []).map(({ id, valid_to }) => ({
          what: `The wallet's certificate ${id}`,
          at: Date.parse(valid_to),
        })),
        ...[...(gateways?.gateways ?? []), ...(connections?.connections ?? [])].flatMap(({ warnings = [] }) =>
          warnings.map(({ about, ends_at, text }) => ({
            what: `A secret of ${about}`,
            at: Date.parse(ends_at),
            text,
            path: '/connections',
          })),
        ),
      ],
    },
  };
}

type Ask = <T extends RequestType>(type: T, input: RequestInput<T>) => Promise<RequestOutput<T> | undefined>;

const letter = (at: string | null, reason: string | null) => ({
  at: at === null ? 0 : Date.parse(at),
  reason: reason ?? 'no reason is known',
});

type Counted = {
  readonly counts: { readonly accepted: number; readonly refused: number };
  readonly last_refusal: { readonly text: string } | null;
};

const endpoint = (name: string, { counts, last_refusal }: Counted): Endpoint => ({
  name,
  accepted: counts.accepted,
  refused: counts.refused,
  lastRefusal: last_refusal?.text ?? null,
});

/**
 * Milliseconds since the epoch of the oldest event that is accepted and not finished. The list is newest first: the last event of its last page. Of
 * more than 200,000 it is one of the older ones.
 */
async function oldestUnfinished(ask: Ask): Promise<number | null> {
  const filter = { state: 'accepted' } as const;
  const first = await ask('intake.event.list.v1', { filter, page: 1, per_page: 1 });
  const total = first?.pagination.total ?? 0;
  if (total === 0) return null;
  const lastPage = Math.min(Math.ceil(total / eventsPerPage), maxPage);
  const last = await ask('intake.event.list.v1', { filter, page: lastPage, per_page: eventsPerPage });
  const at = last?.events.at(-1)?.received_at ?? first?.events.at(-1)?.received_at;
  return at === undefined ? null : Date.parse(at);
}

/** Once an hour what came since the last time; a problem stays one until a check of the same range finds none. */
async function verifyNews(ask: Ask, before: Verified, now: number): Promise<Verified> {
  if (now - before.at < verifyEvery) return before;
  let [from, through] = [before.problem === null ? before.through : null, before.through];
  for (let round = 0; round < verifyRounds; round += 1) {
    const part = await ask('audit.log.verify.v1', { from_id: from, to_id: null });
    if (part === undefined) return before;
    if (!part.valid)
      return { at: now, through: before.through, problem: { reason: part.reason, firstBadId: part.first_bad_id } };
    through = part.next_id ?? through;
    if (part.next_id === null) break;
    from = part.next_id;
  }
  return { at: now, through, problem: null };
}
