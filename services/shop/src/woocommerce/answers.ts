import type { ServiceError } from '@order-automation/contracts';
import type { OutboundAnswer, OutboundError } from '@order-automation/service';
import { LostWrite, ShopRefusal, ShopUnavailable, UnreadableOrder } from './failures';
import { plainText } from './html';

export type Method = 'GET' | 'OPTIONS' | 'PUT' | 'POST' | 'DELETE';
export type Query = Readonly<Record<string, string | number | undefined>>;
type Sent = { readonly method: Method; readonly path: string; readonly query: Query; readonly body?: unknown };
/** `isList`: what is no list is no answer of WooCommerce. */
export type Call = Sent & { readonly isList?: true };
export type Answer = {
  readonly json: unknown;
  readonly total: number | null;
  /** Milliseconds since the epoch by the clock of the shop; NaN where it does not say. */
  readonly date: number;
};

/**
 * Why a request has no usable answer. `unreachable`, `failed`: the shop failed, and perhaps on this request alone; `busy`: it asks to wait
 * (`retryAfter` is the header); `refused`: it does not let us in, or is not what we take it for.
 */
export type FailureFacts = {
  readonly kind: 'unreachable' | 'failed' | 'busy' | 'refused';
  readonly outcome: string;
  readonly reason: string;
  readonly status?: number;
  readonly retryAfter?: string;
  /** The request has not reached WooCommerce, or was turned away before anything happened. */
  readonly unsent: boolean;
  /** Milliseconds for which a write may happen yet. */
  readonly unsettled: number;
  /** A page, and no answer of WooCommerce, refuses a write: of a firewall that is about this one alone, or of a server that blocks its method. */
  readonly isDoubtful?: boolean;
  /** Where WordPress says that it has its REST API, when it is not there (developer.wordpress.org, REST API, Discovery). */
  readonly prefix?: string;
  /** What a refusal is where the shop lets the key have other orders. */
  readonly ownRefusal?: ServiceError;
};

export class ShopFailure extends Error {
  constructor(readonly facts: FailureFacts) {
    super(facts.reason);
    this.name = 'ShopFailure';
  }
}

/** What may stand before the JSON: characters, and brackets in it. */
const maxNotice = 20_000;
const maxStarts = 50;

/** Milliseconds for which the shop may go on with a write after the connection has ended, and after we have waited long for an answer already. */
const afterCut = 2_500;
const afterTimeout = 5_000;

export const isWrite = ({ method }: Pick<Call, 'method'>): boolean => method !== 'GET' && method !== 'OPTIONS';

export function unavailable(
  { kind, outcome, reason, unsent, unsettled, status }: FailureFacts,
  call: Call,
): ShopUnavailable {
  if (isWrite(call) && !unsent) return new LostWrite(reason, unsettled, status ?? null);
  return new ShopUnavailable(reason, undefined, kind === 'refused', outcome === 'unauthorized');
}

export function noAnswer(error: OutboundError, call: Call): Error {
  const { code, message, cause } = error;
  if (code === 'too_large' && !isWrite(call)) return new UnreadableOrder(`WooCommerce cannot be read: ${message}`);
  const isInvalid = code === 'address_refused' || code === 'invalid_url';
  const isNotConnected = notConnected.includes(String((cause as { code?: unknown } | undefined)?.code));
  const unsent = isInvalid || isNotConnected || code === 'circuit_open';
  const kind = isInvalid ? 'refused' : 'unreachable';
  const unsettled = code === 'timeout' ? afterTimeout : afterCut;
  const reason = `WooCommerce cannot be reached: ${message}`;
  return new ShopFailure({ kind, outcome: code, reason, unsent, unsettled });
}

const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** What an answer means. Throws ShopFailure for what says something about the shop or the key, ShopRefusal for what is about the request. */
export function readAnswer({ status: sent, headers, body }: OutboundAnswer, call: Call): Answer {
  const json = parsed(body);
  const { code = '', data } = (json ?? {}) as Partial<Problem>;
  // After PHP has printed a notice every status is 200 (php.net, function.header: "headers already sent"); the error says its own.
  const status = sent < 300 && code !== '' && Number(data?.status) >= 400 ? Number(data?.status) : sent;
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
    const retryAfter = String(headers['retry-after'] ?? '');
    const reason = `WooCommerce asks to wait (${status}).`;
    // Varnish says Retry-After on every 503 (builtin.vcl, vcl_backend_error), also where WooCommerce took the request and was too slow.
    const unsent = status === 429 || !isWrite(call);
    const facts = { kind: 'busy', outcome: 'rate_limited', reason, status, retryAfter } as const;
    throw new ShopFailure({ ...facts, unsent, unsettled: afterCut });
  }
  if (status >= 300 && status < 400) throw refused('unusable', redirectTold(headers.location), status);
  if (status === 500 && isWrite(call) && isRefused(code, data)) throw new ShopRefusal(status, code, reasonOf(json));
  // What is no UTF-8 or no number (INF) fails the whole list (WP_REST_Server::serve_request).
  if (code === 'rest_encode_error' && !isWrite(call))
    throw new UnreadableOrder(`WooCommerce cannot encode its answer: ${reasonOf(json)}`);
  // An answer of the server before WooCommerce says nothing of what WooCommerce is still doing; 501 is a method that it does not let through.
  if (status >= 500 && status !== 501) throw failed(status, status === 500 ? 0 : afterCut, body);
  const lack = json === undefined ? 'not JSON' : call.isList && !isList(json) ? 'no list' : null;
  if (status < 300 && lack !== null)
    throw refused('unusable', `The shop answered something that is ${lack}${pageTold(body)}.`, status, false);
  if (status < 300) return { json, total: totalFrom(headers['x-wp-total']), date: Date.parse(String(headers.date)) };
  const failure = refusalOf(status, json, call, body);
  if (!(failure instanceof ShopFailure)) throw failure;
  const ownRefusal = ownRefusalOf(status, json, call);
  const prefix = /\/([\w-]+)\/>; rel="https:\/\/api\.w\.org\/"/.exec(String(headers.link))?.[1];
  throw new ShopFailure({ ...failure.facts, ...(ownRefusal && { ownRefusal }), ...(prefix && { prefix }) });
}

type Data = { readonly params?: unknown; readonly status?: unknown } | null;
type Problem = { readonly code: string; readonly message: string; readonly data: Data };

/** PHP makes an object of a list with gaps. */
const isList = (json: unknown): boolean =>
  Array.isArray(json) || Object.keys(json ?? {}).every((key) => /^\d+$/.test(key));

/**
 * A 500 that is a decision: of WooCommerce, as about a refund that the gateway does not allow or a note that the database does not take
 * (class-wc-rest-order-notes-v1-controller.php), or of a plugin, whose WP_Error without a status is a 500 too (WP_REST_Server::error_to_response).
 */
const isRefused = (code: string, data: Data | undefined): boolean =>
  /^woocommerce_(rest|api)_/.test(code) ||
  (data?.status === undefined && !/^($|internal_server_error|rest_encode_error|http_request_failed|db_)/.test(code));

/** WordPress names a wrong parameter in its message and says beside it what is wrong. */
function reasonOf(json: unknown): string {
  const { message = '', data } = (json ?? {}) as Partial<Problem>;
  const params = Array.isArray(data?.params) ? [] : Object.entries(data?.params ?? {});
  const reasons = params.map(([name, why]) => (String(why).startsWith(name) ? why : `${name}: ${why}`)).join(' ');
  return plainText(reasons || message).slice(0, 500);
}

const totalFrom = (header: unknown): number | null => (/^\d+$/.test(String(header)) ? Number(header) : null);

function redirectTold(location: unknown): string {
  const whole = String(location ?? '');
  const text = whole.split(/[?#]/)[0] ?? '';
  const where = text === '' ? '' : ` to ${text.slice(0, 200)}`;
  return /\/wp-json|rest_route=|^[a-z]+:\/\/[^/]*\/?$/.test(whole)
    ? `The shop answers with a redirect${where}: connect the shop by the address that it leads to.`
    : `The shop answers with a redirect${where}, which may be a sign-in page: let the REST API through without one.`;
}

/** The title of a page that stands where JSON was expected: of a firewall, or of the hosting. */
function pageTold(body: Buffer): string {
  const title = /<title[^>]*>([^<]{1,200})</i
    .exec(body.toString('utf8', 0, 20_000))?.[1]
    ?.replace(/\s+/g, ' ')
    .trim();
  return title ? `, but a page with the title "${title}"` : '';
}

function refusalOf(status: number, json: unknown, call: Call, body: Buffer): Error {
  const { code = '', message = '' } = (json ?? {}) as Partial<Problem>;
  const said = `${status}${code === '' ? pageTold(body) : ` ${code}`}${message === '' ? '' : `: ${message.slice(0, 200)}`}`;
  if (code === 'rest_no_route' || (json === undefined && status === 404)) {
    const text = `There is no WooCommerce REST API v3 at this address (${said} to ${call.path}).`;
    return refused('unusable', text, status, true, json === undefined && isWrite(call));
  }
  if (json !== undefined && status !== 401 && status !== 403) return new ShopRefusal(status, code, reasonOf(json));
  if (!code.startsWith('woocommerce_')) {
    const who = json === undefined ? 'A firewall, or the web server in front of WooCommerce,' : 'A plugin of the shop';
    const text = `${who} refuses the request (${said}).`;
    return refused('unusable', text, status, true, json === undefined && isWrite(call));
  }
  // A signed request is judged by the address that WordPress has for itself, and by its clock (check_oauth_timestamp_and_nonce).
  const address = /signature/i.test(message)
    ? ' It does so too when the address of the shop here is not the one that WordPress has (Settings, General).'
    : '';
  const clock = /timestamp/i.test(message) ? ' Its clock and that of this server are more than 15 minutes apart.' : '';
  const text = `WooCommerce refuses the key and its secret, or the key lacks a permission (${said}).${clock}${address}`;
  return refused('unauthorized', text, status);
}

/** A plugin may keep one order, or a change of it, from a key that may do the same elsewhere. */
function ownRefusalOf(status: number, json: unknown, call: Call): ServiceError | undefined {
  if (json === undefined || (status !== 401 && status !== 403)) return undefined;
  const said = reasonOf(json);
  if (isWrite(call)) return new ShopRefusal(status, String((json as Partial<Problem>).code ?? ''), said);
  const isOfOne = /^wc\/v3\/orders\/\d+$/.test(call.path);
  return isOfOne ? new UnreadableOrder(`WooCommerce does not show the order to this key: ${said}`) : undefined;
}

const refused = (outcome: string, reason: string, status: number, unsent = true, isDoubtful = false): ShopFailure =>
  new ShopFailure({ kind: 'refused', outcome, reason, status, unsent, unsettled: 0, isDoubtful });

function failed(status: number, unsettled: number, body: Buffer): ShopFailure {
  const reason = `WooCommerce answered ${status}${pageTold(body)}.`;
  return new ShopFailure({ kind: 'failed', outcome: 'failed', reason, status, unsent: false, unsettled });
}

/**
 * A list or an object, also behind a byte order mark or what PHP and plugins print before it. Where they print something behind it too, it begins a line
 * or follows a tag. The end of an answer that was cut off must not be taken for the answer.
 */
function parsed(body: Buffer): unknown {
  const text = body.toString('utf8').trimStart();
  const all = [...text.slice(0, maxNotice).matchAll(/[[{]/g)].slice(0, maxStarts).map(({ index }) => index);
  const starts = all[0] === 0 ? [0] : all;
  const first = starts.find((at) => at === 0 || /[\n>]/.test(text[at - 1] ?? '')) ?? text.length;
  for (const part of [...starts.map((at) => () => text.slice(at)), () => text.slice(first, endOf(text, first))]) {
    try {
      const json: unknown = JSON.parse(part());
      if (typeof json === 'object' && json !== null) return json;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** Behind the bracket that closes the one at `start`; 0 where none does, or where another one follows. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs)) {
    if (!token.startsWith('"')) depth += /[[{]/.test(token) ? 1 : -1;
    const end = start + index + 1;
    if (depth === 0) return /^\s*[[{]/.test(text.slice(end, end + maxNotice)) ? 0 : end;
  }
  return 0;
}
