import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { accessOf, type Key } from './access';
import type { Site } from './dates';
import { sendDue } from './deliveries';
import { type Call, type Fields, problem, type Reply } from './replies';
import { answerOf } from './routes';
import { type ShopData, shopData } from './shop-data';

/**
 * What goes wrong with a call: an answer of its own (`reply`), no answer at all (`hang`), the connection ends after the shop has done what it was
 * asked (`cut`) or before (`cut_before`), it ends now and the shop does it later all the same (`cut_early`), or the answer takes long (`slow`).
 * Times in milliseconds.
 */
export type Fault =
  | { readonly reply: Reply }
  | { readonly slow: number }
  | { readonly cut_early: number }
  | 'hang'
  | 'cut'
  | 'cut_before';

export type WooCommerceServer = ShopData & {
  /** Address of the shop. */
  readonly url: string;
  readonly key: Key;
  /** Calls that got in, in order. */
  readonly calls: Call[];
  /** The shop is found by `?rest_route=` alone. */
  plainPermalinks: boolean;
  /** What a plugin made of `wp-json` (the filter `rest_url_prefix`). */
  prefix: string;
  /** The web server removes the header `Authorization`. */
  dropsAuthorization: boolean;
  /** https ends at a proxy of which WordPress does not know. */
  isBehindProxy: boolean;
  /** What PHP prints before each answer, which then has the status 200 and no headers of WordPress. */
  before: string;
  /** Decides before each call whether it goes wrong. */
  fault: (call: Call) => Fault | undefined;
  /** Sends what webhooks have to send, pings too. */
  deliver(): Promise<void>;
  close(): Promise<void>;
};

export type WooCommerceOptions = {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly key?: Key;
  /** Further keys that the shop knows. */
  readonly otherKeys?: readonly Key[];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly site?: Partial<Site>;
};

export const wooCommerceKey: Key = { key: 'ck_0123456789abcdef', secret: 'cs_fedcba9876543210' };

/** A server that behaves as WooCommerce's REST API v3 does, from the source of WooCommerce 9 and its documentation. Its shop is empty. */
export async function startWooCommerce({
  tls,
  key = wooCommerceKey,
  otherKeys = [],
  now = Date.now,
  site,
}: WooCommerceOptions = {}): Promise<WooCommerceServer> {
  const data = shopData(now, { zone: '+02:00', tables: 'new', ...site });
  const usedNonces = new Set<string>();
  const origin = (): string => `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const isSecure = tls !== undefined && !running.isBehindProxy;
    const url = new URL(req.url ?? '/', isSecure ? origin() : origin().replace(/^https:/, 'http:'));
    res.setHeader('Date', new Date(now()).toUTCString());
    const path = pathOf(url, running);
    res.setHeader(
      'Link',
      `<${origin()}/${running.plainPermalinks ? '?rest_route=' : running.prefix}/>; rel="https://api.w.org/"`,
    );
    if (running.dropsAuthorization) delete req.headers.authorization;
    if (!req.headers['user-agent']) return void res.writeHead(455, { 'Content-Type': 'text/html' }).end(firewall);
    if (path === undefined) return void res.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
    const refused = path.startsWith('wc/')
      ? accessOf(req, url, { isSecure, keys: [key, ...otherKeys], usedNonces, now: now(), prefix: running.prefix })
      : null;
    const method = (req.method === 'POST' && url.searchParams.get('_method')) || req.method || 'GET';
    const sent = await bodyOf(req);
    if (hasHalfPair(sent)) return write(res, problem(400, 'rest_invalid_json', 'Invalid JSON body passed.'));
    const body = sent === '' ? {} : (JSON.parse(sent) as Fields);
    const call = { method, sentAs: req.method, path, query: url.searchParams, body };
    const { status, code, message } = refused ?? {};
    if (refused) return write(res, problem(status ?? 401, code ?? '', message ?? ''));
    running.calls.push(call);
    const fault = running.fault(call);
    if (fault === 'hang') return;
    if (fault === 'cut_before') return void res.destroy();
    if (isFault(fault, 'reply')) return write(res, fault.reply);
    if (isFault(fault, 'cut_early')) {
      res.destroy();
      await delay(fault.cut_early);
    }
    if (isFault(fault, 'slow')) await delay(fault.slow);
    const { before } = running;
    const reply = encoded(answerOf(call, data));
    if (fault === 'cut') res.destroy();
    else if (!res.destroyed) write(res, before === '' ? reply : { status: 200, body: before + reply.body });
  };
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    answer(req, res).catch(() => res.destroy());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running: WooCommerceServer = {
    ...data,
    url: origin(),
    key,
    calls: [],
    plainPermalinks: false,
    prefix: 'wp-json',
    dropsAuthorization: false,
    isBehindProxy: false,
    before: '',
    fault: () => undefined,
    deliver: () => sendDue(data, origin()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return running;
}

const firewall = '<title>455 Security Incident Detected</title><h1>Your request was blocked. Do not retry.</h1>';

function isFault<K extends string>(fault: Fault | undefined, kind: K): fault is Extract<Fault, Record<K, unknown>> {
  return typeof fault === 'object' && kind in fault;
}

function pathOf(url: URL, { plainPermalinks, prefix }: Pick<WooCommerceServer, 'plainPermalinks' | 'prefix'>) {
  const route = plainPermalinks ? url.searchParams.get('rest_route') : url.pathname.split(`/${prefix}`)[1];
  return route?.replace(/^\//, '');
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** PHP does not read it (JSON_ERROR_UTF16); a pair is two escapes, one after the other. */
const hasHalfPair = (json: string): boolean =>
  /\\ud[89a-f]/i.test(json.replace(/\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, ''));

/** What cannot be encoded makes an error of the whole answer. */
function encoded(reply: Reply): Reply {
  let isBroken = false;
  const body = JSON.stringify(reply.body, (_key, value: unknown) => {
    isBroken ||= typeof value === 'number' && !Number.isFinite(value);
    return value;
  });
  if (!isBroken) return { ...reply, body };
  return encoded(problem(500, 'rest_encode_error', 'Inf and NaN cannot be JSON encoded'));
}

function write(res: ServerResponse, { status, body, headers = {} }: Reply): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', ...headers });
  res.end(typeof body === 'string' ? body : JSON.stringify(body));
}
