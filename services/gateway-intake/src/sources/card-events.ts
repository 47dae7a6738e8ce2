import type { Outbound } from '@order-automation/service';
import { cardGateway } from '../gateways/card/adapter';
import { listAt, own, scalarAt } from '../gateways/payload';
import { askGateway, type EventSource, type Listed } from './source';

/** Most types that one request may name. */
const maxTypes = 20;
const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1000));

/** The events of the card gateway's account, newest first, as rendered when they happened: https://docs.stripe.com/api/events/list. `api` is its address. */
export function cardEventSource(api: string, outbound: Outbound): EventSource {
  return {
    gateway: cardGateway,
    keyText: 'A restricted key (rk_…) of the card gateway that may read events, and nothing else.',
    keptDays: 30,
    listsOurs: false,
    typePrefix: 'payment.card.',
    always: ['charge.refunded', 'charge.dispute.created', 'charge.dispute.closed'],
    first: 'payment_intent.succeeded',
    keyProblem: (key) =>
      /^[rs]k_[\x21-\x7e]{8,300}$/.test(key) ? undefined : 'must begin with rk_ or sk_, as the gateway showed it',
    page: async ({ key, from, to, types, next }) => {
      const url = new URL('/v1/events', api);
      const window = { limit: '100', 'created[gte]': seconds(from), 'created[lt]': seconds(to) };
      const query = new URLSearchParams({ ...window, ...(next !== null && { starting_after: next }) });
      if (types.length <= maxTypes) for (const type of types) query.append('types[]', type);
      url.search = query.toString();
      const { object: list, at } = await askGateway(outbound, url, { headers: { authorization: `Bearer ${key}` } });
      const events = listAt(list, 'data');
      const last = scalarAt(events.at(-1), 'id') ?? null;
      return { events: events.flatMap(listed), next: own(list, 'has_more') === true ? last : null, at };
    },
  };
}

function listed(event: unknown): Listed[] {
  const [type, created] = [scalarAt(event, 'type'), own(event, 'created')];
  if (type === undefined || typeof created !== 'number') return [];
  return [{ type, at: created * 1000, body: Buffer.from(JSON.stringify(event)) }];
}
