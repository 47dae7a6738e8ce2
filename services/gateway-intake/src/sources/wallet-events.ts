import type { Outbound } from '@order-automation/service';
import { listAt, own, scalarAt } from '../gateways/payload';
import { walletGateway } from '../gateways/wallet/adapter';
import { askGateway, type EventSource, type Listed, SourceError } from './source';

/** Milliseconds before its end at which a token is replaced. */
const margin = 60_000;

/**
 * The notifications that the wallet has made for our webhook: https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list. `api` is its address; a
 * token is asked for once in its life.
 */
export function walletEventSource(api: string, outbound: Outbound): EventSource {
  let token: { readonly of: string; readonly value: string; readonly until: number } | undefined;
  const tokenFor = async (key: string): Promise<string> => {
    if (token?.of === key && token.until > Date.now()) return token.value;
    const { object: answer } = await askGateway(outbound, new URL('/v1/oauth2/token', api), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(key).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const [value, life] = [own(answer, 'access_token'), own(answer, 'expires_in')];
    if (typeof value !== 'string') throw new SourceError('unavailable', 'The wallet answered without an access token.');
    token = { of: key, value, until: Date.now() + Number(life ?? 0) * 1000 - margin };
    return value;
  };
  const pageUrl = (from: number, to: number, next: string | null): URL => {
    const url = new URL('/v1/notifications/webhooks-events', api);
    const [start_time, end_time] = [from, to].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`);
    url.search = next ?? new URLSearchParams({ page_size: '100', start_time, end_time } as never).toString();
    return url;
  };
  return {
    gateway: walletGateway,
    keyText: 'Client id and secret of the wallet’s app that has the webhook, with a colon between them.',
    keptDays: 30,
    listsOurs: true,
    typePrefix: 'payment.wallet.',
    always: [],
    first: 'PAYMENT.CAPTURE.COMPLETED',
    keyProblem: (key) =>
      /^[\x21-\x39\x3b-\x7e]{10,200}:[\x21-\x7e]{10,250}$/.test(key)
        ? undefined
        : 'must be the client id and the secret of the app, with a colon between them',
    page: async ({ key, from, to, next }) => {
      const before = token;
      const ask = async () =>
        askGateway(outbound, pageUrl(from, to, next), { headers: { authorization: `Bearer ${await tokenFor(key)}` } });
      const { object: list, at } = await ask().catch((error: unknown) => {
        // A token may end before its time. What refuses a new one refuses the key.
        if (!(before && error instanceof SourceError && error.kind === 'key')) throw error;
        token = undefined;
        return ask();
      });
      return { events: listAt(list, 'events').flatMap(listed), next: nextOf(listAt(list, 'links')), at };
    },
  };
}

function listed(event: unknown): Listed[] {
  const [type, at] = [scalarAt(event, 'event_type'), Date.parse(scalarAt(event, 'create_time') ?? '')];
  if (type === undefined || Number.isNaN(at)) return [];
  return [{ type, at, body: Buffer.from(JSON.stringify(event)) }];
}

/** The query of the next page: its host is ours to say. */
function nextOf(links: readonly unknown[]): string | null {
  const link = links.find((one) => scalarAt(one, 'rel') === 'next');
  const href = own(link, 'href');
  return typeof href === 'string' && URL.canParse(href) ? new URL(href).search : null;
}
