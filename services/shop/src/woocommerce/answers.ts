import type { OutboundAnswer, OutboundError } from '@order-automation/service';
import { LostWrite, ShopRefusal, ShopUnavailable } from './failures';

export type Method = 'GET' | 'OPTIONS' | 'PUT' | 'POST';
export type Query = Readonly<Record<string, string | number | undefined>>;
export type Call = { readonly method: Method; readonly path: string; readonly query: Query; readonly body?: unknown };
export type Answer = { readonly json: unknown; readonly total: number };

/**
 * Why a request has no usable answer. `unreachable`, `failed`: the shop failed, and perhaps on this request alone; `busy`: it asks to wait
 * (`retryAfter` is the header); `refused`: it does not let us in, or is not what we take it for.
 */
export type Trouble = {
  readonly kind: 'unreachable' | 'failed' | 'busy' | 'refused';
  readonly outcome: string;
  readonly reason: string;
  readonly status?: number;
  readonly retryAfter?: string;
  /** The request has not reached WooCommerce, or was turned away before anything happened. */
  readonly unsent: boolean;
  /** Milliseconds for which a write may happen yet. */
  readonly unsettled: number;
};

/** A request without a usable answer. */
export class Troubled extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.reason);
    this.name = 'Troubled';
  }
}

/** Milliseconds for which the shop may go on with a write after the connection has ended, and after we have waited long for an answer already. */
const afterCut = 2_500;
const afterTimeout = 5_000;

export const isWrite = ({ method }: Pick<Call, 'method'>): boolean => method === 'PUT' || method === 'POST';

/** How the caller of a request sees its trouble. */
export function unavailable({ kind, reason, unsent, unsettled, status }: Trouble, call: Call): ShopUnavailable {
  if (isWrite(call) && !unsent) return new LostWrite(reason, unsettled, status ?? null);
  return new ShopUnavailable(reason, undefined, kind === 'refused');
}

/** A request that did not get an answer at all. */
export function noAnswer(error: OutboundError): Troubled {
  const { code, message } = error;
  const unsent =
    code === 'circuit_open' || code === 'address_refused' || code === 'invalid_url' || isNotConnected(error);
  const kind = code === 'address_refused' || code === 'invalid_url' ? 'refused' : 'unreachable';
  const unsettled = code === 'timeout' ? afterTimeout : afterCut;
  const reason = `WooCommerce cannot be reached: ${message}`;
  return new Troubled({ kind, outcome: code, reason, unsent, unsettled });
}

const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function isNotConnected({ cause }: OutboundError): boolean {
  return notConnected.includes(String((cause as { code?: unknown } | undefined)?.code));
}

/** What an answer means. Throws Troubled for what says something about the shop or the key, ShopRefusal for what is about the request. */
export function readAnswer({ status, headers, body }: OutboundAnswer, call: Call): Answer {
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
    const retryAfter = String(headers['retry-after'] ?? '');
    const reason = `WooCommerce asks to wait (${status}).`;
    throw new Troubled({
      kind: 'busy',
      outcome: 'rate_limited',
      reason,
      status,
      retryAfter,
      unsent: true,
      unsettled: 0,
    });
  }
  if (status >= 300 && status < 400)
    throw refused('unusable', 'The shop answers with a redirect: set WOOCOMMERCE_URL to where it leads.', status);
  // An answer of the server before WooCommerce says nothing of what WooCommerce is still doing.
  if (status >= 500) throw failed(status, status === 500 ? 0 : afterCut);
  const json = parsed(body);
  if (status < 300 && json === undefined)
    throw refused('unusable', 'The shop answered something that is not JSON.', status, false);
  if (status < 300) return { json, total: Number(headers['x-wp-total'] ?? 0) };
  throw refusalOf(status, json, call);
}

function refusalOf(status: number, json: unknown, { path }: Call): Error {
  const { code = '', message = '' } = (json ?? {}) as { code?: string; message?: string };
  const said = `${status}${code === '' ? '' : ` ${code}`}${message === '' ? '' : `: ${message.slice(0, 200)}`}`;
  if (status === 401 || status === 403) {
    const text = `WooCommerce refuses WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET, or the key lacks a permission (${said}).`;
    return refused('unauthorized', text, status);
  }
  if (json === undefined || code === 'rest_no_route')
    return refused(
      'unusable',
      `There is no WooCommerce REST API v3 at WOOCOMMERCE_URL (${status} to ${path}).`,
      status,
    );
  return new ShopRefusal(status, code, message.slice(0, 500));
}

function refused(outcome: string, reason: string, status: number, unsent = true): Troubled {
  return new Troubled({ kind: 'refused', outcome, reason, status, unsent, unsettled: 0 });
}

function failed(status: number, unsettled: number): Troubled {
  const reason = `WooCommerce answered ${status}.`;
  return new Troubled({ kind: 'failed', outcome: 'failed', reason, status, unsent: false, unsettled });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
