import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const cardKey = 'rk_live_0123456789abcdef';
export const walletKey = 'AY-client-id-0123456789:EL-secret-0123456789';

type CardEvent = { readonly id: string; readonly type: string; readonly created: number };
type WalletEvent = { readonly id: string; readonly event_type: string; readonly create_time: string };

/**
 * A gateway that lists the events it has sent: as https://docs.stripe.com/api/events/list (newest first, `has_more`, `starting_after`, up to 100) and
 * https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list (a token first, `links` with `next`).
 */
export async function startEventList() {
  const card: CardEvent[] = [];
  const wallet: WalletEvent[] = [];
  /** Paths with their queries. */
  const asked: URL[] = [];
  const fault: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
  /** That the wallet gives, and takes alone. */
  const token = { value: 'A21AA-token' };
  /** Its own, which each answer tells. */
  const clock = { now: (): number => Date.now() };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://events');
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, {
          'content-type': 'application/json',
          date: new Date(clock.now()).toUTCString(),
          ...headers,
        })
        .end(JSON.stringify(body));
    const { authorization } = request.headers;
    request.resume();
    asked.push(url);
    if (fault.status !== 200) return answer(fault.status, { error: { message: 'no' } }, fault.headers);
    if (url.pathname === '/v1/oauth2/token')
      return authorization === `Basic ${Buffer.from(walletKey).toString('base64')}`
        ? answer(200, { access_token: token.value, token_type: 'Bearer', expires_in: 32_400 })
        : answer(401, { error: 'invalid_client' });
    if (url.pathname === '/v1/events')
      return authorization === `Bearer ${cardKey}`
        ? answer(200, cardPage(card, url.searchParams))
        : answer(401, { error: { message: `Invalid API Key provided: ${authorization}` } });
    if (url.pathname === '/v1/notifications/webhooks-events')
      return authorization === `Bearer ${token.value}`
        ? answer(200, walletPage(wallet, url))
        : answer(401, { error: 'invalid_token', error_description: 'Access Token not found in cache' });
    return answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    card,
    wallet,
    asked,
    fault,
    token,
    clock,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function cardPage(events: readonly CardEvent[], query: URLSearchParams) {
  const [from, to] = [Number(query.get('created[gte]')), Number(query.get('created[lt]'))];
  const types = query.getAll('types[]');
  const all = events
    .filter(({ created, type }) => created >= from && created < to && (types.length === 0 || types.includes(type)))
    .reverse();
  const start = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const data = all.slice(start, start + Number(query.get('limit')));
  return { object: 'list', url: '/v1/events', data, has_more: start + data.length < all.length };
}

function walletPage(events: readonly WalletEvent[], { searchParams: query }: URL) {
  const [from, to] = [query.get('start_time') ?? '', query.get('end_time') ?? ''].map((time) => Date.parse(time));
  const all = events
    .filter(({ create_time }) => Date.parse(create_time) >= (from ?? 0) && Date.parse(create_time) <= (to ?? 0))
    .reverse();
  const start = Number(query.get('offset') ?? 0);
  const page = all.slice(start, start + Number(query.get('page_size')));
  const next = new URLSearchParams({ ...Object.fromEntries(query), offset: String(start + page.length) });
  const link = { href: `https://api.paypal.com/v1/notifications/webhooks-events?${next}`, rel: 'next', method: 'GET' };
  return { events: page, count: page.length, links: start + page.length < all.length ? [link] : [] };
}
