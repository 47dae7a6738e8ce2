import {
  batcher,
  type Clock,
  createOutbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundOptions,
} from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import { authorized } from './authorization';
import { type Condition, newCondition } from './condition';
import { ShopRefusal, ShopUnavailable, shopFailed } from './failures';
import type { WooCommerceSettings } from './settings';

export type Query = Readonly<Record<string, string | number | undefined>>;
export type Page = { readonly items: readonly unknown[]; readonly total: number };

/**
 * The REST interface of one shop, a few requests at a time. Reads are tried twice when the connection breaks, writes once. Rejects with
 * ShopRefusal when WooCommerce refuses the request, with ShopUnavailable when the shop cannot be used now, and with a ServiceError of status 502
 * when it fails on this request alone.
 */
export interface WooCommerce {
  /** `path` below `/wp-json/`, as `wc/v3/orders/17`. */
  get(path: string, query?: Query): Promise<unknown>;
  /** One page of a list, and how many there are (`X-WP-Total`, which WooCommerce may count late). */
  page(path: string, query?: Query): Promise<Page>;
  write(method: 'PUT' | 'POST', path: string, body: unknown): Promise<unknown>;
  /** What an OPTIONS request says about a resource. */
  describe(path: string): Promise<unknown>;
  readonly condition: Condition;
  close(): void;
}

export type ClientOptions = {
  readonly settings: WooCommerceSettings;
  readonly clock: Clock;
  readonly log: OutboundOptions['log'];
  readonly telemetry: Telemetry;
  /** Milliseconds for one request. */
  readonly timeout: number;
};

/** Requests in flight: what a small hosting bears beside its customers. */
const concurrency = 6;
const maxBytes = 16_000_000;

type Call = { readonly method: string; readonly path: string; readonly query: Query; readonly body?: unknown };
type Answer = { readonly json: unknown; readonly total: number };

const alive: Call = { method: 'GET', path: 'wc/v3/orders', query: { per_page: 1, _fields: 'id' } };

export function wooCommerceClient({ settings, clock, log, telemetry, timeout }: ClientOptions): WooCommerce {
  const { hosts, subnets } = settings.outbound;
  const outbound = createOutbound({ log, timeout, maxBytes, allow: subnets, allowHosts: hosts });
  const condition = newCondition(clock, telemetry, async () => {
    await inTurn.add(alive);
  });

  const once = async (call: Call): Promise<Answer> => {
    const { method, path, query, body } = call;
    condition.refuseWhilePaused();
    const target = targetOf(settings.address, path, query);
    // Posts are public, and WordPress would take the key for a password of its own.
    const ours = path.startsWith('wc/');
    const signed = ours ? authorized(method, target, settings, clock.now()) : { url: target.href, headers: {} };
    const content = body === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' };
    const headers = { Accept: 'application/json', ...signed.headers, ...content };
    const started = performance.now();
    const measured = (outcome: string) => telemetry.shopAnswered(method, outcome, (performance.now() - started) / 1000);
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = readAnswer(await outbound.request(signed.url, { method, headers, ...sent }), call, condition);
      measured('ok');
      if (ours) condition.answered();
      return answer;
    } catch (error) {
      const failure = error instanceof OutboundError ? unreachable(error, method) : error;
      measured(outcomeOf(error));
      if (failure instanceof ShopUnavailable && (ours || !failure.isRefusal)) condition.failed(failure.reason);
      else if (failure instanceof ShopRefusal && ours) condition.answered();
      throw failure;
    }
  };

  const inTurn = batcher<Call, Answer>({
    maxItems: 1,
    concurrency,
    run: async (calls) => Promise.all(calls.map((call) => withSecondTry(call, once))),
  });

  /** 500 is the shop's failure or that of this request alone: whether another request works tells. */
  const send = async (call: Call): Promise<Answer> => {
    try {
      return await inTurn.add(call);
    } catch (error) {
      if (!(error instanceof ShopFailed)) throw error;
      await inTurn.add(alive).catch((other: unknown) => {
        if (!(other instanceof ShopFailed)) throw other;
        condition.failed(other.message);
        throw new ShopUnavailable(`${other.message}.`);
      });
      throw shopFailed(error.status, `${call.method} ${call.path}`);
    }
  };

  return {
    condition,
    get: async (path, query = {}) => (await send({ method: 'GET', path, query })).json,
    page: async (path, query = {}) => {
      const { json, total } = await send({ method: 'GET', path, query });
      if (!Array.isArray(json)) throw new ShopUnavailable('WooCommerce answered something that is no list.');
      return { items: json, total };
    },
    write: async (method, path, body) => (await send({ method, path, query: {}, body })).json,
    describe: async (path) => (await send({ method: 'OPTIONS', path, query: {} })).json,
    close: () => outbound.close(),
  };
}

/** An answer of status 500, before it is known whose failure it is. */
class ShopFailed extends Error {
  constructor(readonly status: number) {
    super(`WooCommerce answered ${status}`);
  }
}

function targetOf(address: string, path: string, query: Query): URL {
  const target = new URL(`${address}/wp-json/${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value));
  return target;
}

async function withSecondTry(call: Call, once: (call: Call) => Promise<Answer>): Promise<Answer> {
  try {
    return await once(call);
  } catch (error) {
    const broken =
      error instanceof ShopUnavailable && error.cause instanceof OutboundError && error.cause.code === 'network';
    if (call.method !== 'GET' || !broken) throw error;
    return once(call);
  }
}

function unreachable(error: OutboundError, method: string): ShopUnavailable {
  const isWrite = method === 'PUT' || method === 'POST';
  const sent = error.code === 'timeout' || error.code === 'network' || error.code === 'too_large';
  const unavailable = new ShopUnavailable(`WooCommerce cannot be reached: ${error.message}`, isWrite && sent);
  unavailable.cause = error;
  return unavailable;
}

function outcomeOf(error: unknown): string {
  if (error instanceof OutboundError) return error.code;
  if (error instanceof ShopFailed) return 'failed';
  if (error instanceof ShopRefusal) return 'refused';
  return error instanceof Unusable ? error.outcome : 'failed';
}

/** An answer that says something about the shop or the key and not about the request. */
class Unusable extends ShopUnavailable {
  constructor(
    readonly outcome: 'unauthorized' | 'rate_limited' | 'unusable' | 'failed',
    reason: string,
    mayHaveHappened = false,
  ) {
    super(reason, mayHaveHappened, outcome === 'unauthorized' || outcome === 'unusable');
  }
}

function readAnswer({ status, headers, body }: OutboundAnswer, { method, path }: Call, condition: Condition): Answer {
  const isWrite = method === 'PUT' || method === 'POST';
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
    const wait = condition.pause(String(headers['retry-after'] ?? ''));
    throw new Unusable('rate_limited', `WooCommerce asks to wait ${wait} s (${status}).`);
  }
  if (status >= 300 && status < 400)
    throw new Unusable('unusable', 'The shop answers with a redirect: set WOOCOMMERCE_URL to where it leads.');
  if (status > 500) throw new Unusable('failed', `WooCommerce answered ${status}.`, isWrite);
  if (status === 500) throw new ShopFailed(status);
  const json = parsed(body);
  if (status < 300 && json === undefined)
    throw new Unusable('unusable', 'The shop answered something that is not JSON.', isWrite);
  if (status < 300) return { json, total: Number(headers['x-wp-total'] ?? 0) };
  const { code = '', message = '' } = (json ?? {}) as { code?: string; message?: string };
  const said = `${status}${code === '' ? '' : ` ${code}`}${message === '' ? '' : `: ${message.slice(0, 200)}`}`;
  if (status === 401 || status === 403)
    throw new Unusable(
      'unauthorized',
      `WooCommerce refuses WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET, or the key lacks a permission (${said}).`,
    );
  if (json === undefined || code === 'rest_no_route')
    throw new Unusable('unusable', `There is no WooCommerce REST API v3 at WOOCOMMERCE_URL (${status} to ${path}).`);
  throw new ShopRefusal(status, code, message.slice(0, 500));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
