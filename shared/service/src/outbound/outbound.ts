import { lookup as dnsLookup } from 'node:dns';
import http, { type IncomingMessage, type RequestOptions as NodeRequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parsedUrl } from '@order-automation/contracts';
import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';
import { type AddressCheck, openedAddresses, publicAddresses } from './outbound-addresses';

/** A call to a foreign server failed; `code` says how. `message` carries no address and no secret. */
export class OutboundError extends Error {
  constructor(
    readonly code: 'invalid_url' | 'address_refused' | 'timeout' | 'too_large' | 'circuit_open' | 'network',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

export type OutboundOptions = {
  readonly log: Logger;
  /** Private addresses and subnets that may be called all the same. */
  readonly allow?: readonly string[];
  /** Hosts that may be called whatever their address is. Plain http is for them and for the addresses above alone. */
  readonly allowHosts?: readonly string[];
  /** Milliseconds for the whole call. Default 10,000. */
  readonly timeout?: number;
  /** Most bytes of an answer. Default 1 MB. */
  readonly maxBytes?: number;
  /** What is beyond `maxBytes` of an answer is not read, and the call succeeds: for callers that want to know how it begins. */
  readonly truncate?: boolean;
  /** Milliseconds that the calls to a host are refused after half of them failed. Default 30,000. */
  readonly breakerReset?: number;
};

type OutboundRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** A person asked for this call: it is made while the calls to its host are stopped, and its success ends that. */
  readonly isTrial?: boolean;
};

export type OutboundAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

export type Outbound = {
  /** Why this address is never called, as far as the address itself tells; null when nothing does. */
  refusal(url: string): OutboundError | null;
  /** Answers of any status resolve, redirects too: they are not followed. Rejects with OutboundError. */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
  close(): void;
};

type Call = (url: URL, request: OutboundRequest) => Promise<OutboundAnswer>;

const maxHosts = 256;
/** Milliseconds. */
export const defaultBreakerReset = 30_000;

/**
 * Calls to foreign servers: 10 s in all, 1 MB, no redirects, no private addresses (checked on the address that is connected to), and a
 * breaker per host that opens when half of at least five calls in ten seconds failed or answered 5xx.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { timeout = 10_000, maxBytes = 1_000_000, truncate = false, breakerReset = defaultBreakerReset } = options;
  const guard: Guard = {
    allowed: publicAddresses(options.allow),
    opened: openedAddresses(options.allow),
    hosts: new Set(options.allowHosts),
  };
  const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };
  const breakers = new Map<string, CircuitBreaker<[URL, OutboundRequest], OutboundAnswer>>();
  const call: Call = (url, request) => send({ url, request, timeout, maxBytes, truncate, guard, agents });

  const breakerOf = (host: string) => {
    const known = breakers.get(host);
    if (known) return known;
    const [oldest] = breakers.keys();
    if (breakers.size >= maxHosts && oldest !== undefined) {
      breakers.get(oldest)?.shutdown();
      breakers.delete(oldest);
    }
    const breaker = hostBreaker(call, breakerReset);
    breaker.on('open', () => options.log.warn({ host }, 'calls to this host are stopped for now'));
    breakers.set(host, breaker);
    return breaker;
  };

  return {
    refusal: (text) => {
      try {
        return refusalOf(parseUrl(text), guard);
      } catch (error) {
        return asOutboundError(error);
      }
    },
    request: async (text, request = {}) => {
      const url = parseUrl(text);
      try {
        const breaker = breakerOf(url.host);
        if (!request.isTrial || !breaker.opened) return await breaker.fire(url, request);
        const answer = await call(url, request);
        if (answer.status < 500) breaker.close();
        return answer;
      } catch (error) {
        if (error instanceof ServerFailure) return error.answer;
        throw asOutboundError(error);
      }
    },
    close: () => {
      for (const breaker of breakers.values()) breaker.shutdown();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** A 5xx answer: a failure to the breaker, an answer to the caller. */
class ServerFailure extends Error {
  constructor(readonly answer: OutboundAnswer) {
    super(`status ${answer.status}`);
  }
}

function hostBreaker(call: Call, resetTimeout: number): CircuitBreaker<[URL, OutboundRequest], OutboundAnswer> {
  const action: Call = async (url, request) => {
    const answer = await call(url, request);
    if (answer.status >= 500) throw new ServerFailure(answer);
    return answer;
  };
  return new CircuitBreaker(action, {
    timeout: false,
    resetTimeout,
    volumeThreshold: 5,
    errorThresholdPercentage: 50,
    errorFilter: (error: unknown) => error instanceof OutboundError && /^(address_refused|too_large)$/.test(error.code),
  });
}

function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as { readonly code?: unknown };
  if (code === 'EOPENBREAKER')
    return new OutboundError('circuit_open', 'The host failed too often lately and is not called for now.');
  // Such as CERT_HAS_EXPIRED, or ECONNRESET where the answer was cut off.
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new OutboundError('network', `The host could not be reached${reason}.`, { cause: error });
}

function parseUrl(text: string): URL {
  const url = parsedUrl(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) {
    throw new OutboundError('invalid_url', 'The address must be http or https, without credentials.');
  }
  return url;
}

type Sending = {
  readonly url: URL;
  readonly request: OutboundRequest;
  readonly timeout: number;
  readonly maxBytes: number;
  readonly truncate: boolean;
  readonly guard: Guard;
  readonly agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };
};

/** Where calls may go: addresses, those of them that were opened by configuration, and hosts. */
type Guard = { readonly allowed: AddressCheck; readonly opened: AddressCheck; readonly hosts: ReadonlySet<string> };

const literalOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function refusalOf(url: URL, guard: Guard): OutboundError | null {
  const literal = literalOf(url);
  if (guard.hosts.has(literal)) return null;
  if (isIP(literal) !== 0 && !guard.allowed(literal)) return refused(notPublic);
  return url.protocol === 'http:' && !guard.opened(literal) ? refused(notHttps) : null;
}

function send({ url, request, timeout, maxBytes, truncate, guard, agents }: Sending): Promise<OutboundAnswer> {
  const refusal = refusalOf(url, guard);
  if (refusal) return Promise.reject(refusal);
  const secure = url.protocol === 'https:';
  const options: NodeRequestOptions = {
    method: request.method ?? 'GET',
    headers: { ...always, ...request.headers, ...lengthOf(request.body) },
    lookup: checkedLookup(guard.hosts.has(literalOf(url)) ? () => true : guard.allowed),
    // WordPress that is being debugged names each fault in a header (https://github.com/woocommerce/woocommerce/issues/44749).
    maxHeaderSize: 128 * 1024,
    agent: secure ? agents['https:'] : agents['http:'],
  };
  return new Promise((resolve, reject) => {
    const req = (secure ? https : http).request(url, options);
    const tooLate = new OutboundError('timeout', `No answer within ${timeout} ms.`);
    const late = setTimeout(() => req.destroy(tooLate), timeout);
    req.on('close', () => clearTimeout(late));
    req.on('error', (error) => reject(asOutboundError(error)));
    req.on('response', (res) => readAnswer(res, maxBytes, truncate).then(resolve, reject));
    req.end(request.body);
  });
}

/** Hostings refuse what does not say who calls (https://github.com/XiaoFaye/WooCommerce.NET/issues/810), and so does Cloudflare unless it is set otherwise. */
const always = { 'Accept-Encoding': 'identity', 'User-Agent': 'order-automation' };

const lengthOf = (body: string | Uint8Array | undefined): Record<string, string> =>
  body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };

/** A cache that keeps a compressed answer gives it to everybody (https://github.com/kloon/WooCommerce-REST-API-Client-Library/issues/238). */
const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

async function readAnswer(res: IncomingMessage, maxBytes: number, truncate: boolean): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const decoder = decoders[res.headers['content-encoding'] as keyof typeof decoders];
  try {
    const body: AsyncIterable<Buffer> = decoder ? pipeline(res, decoder(), () => undefined) : res;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes && truncate) break;
      if (size > maxBytes) throw new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes.`);
    }
  } catch (error) {
    res.destroy();
    throw asOutboundError(error);
  }
  return { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks, Math.min(size, maxBytes)) };
}

const notPublic = 'The address is not a public one. OUTBOUND_ALLOW opens private addresses.';
const notHttps = 'Only https is called, unless OUTBOUND_ALLOW has the host.';
const refused = (message: string): OutboundError => new OutboundError('address_refused', message);

/** Looks a name up and lets through only addresses that may be called: what is checked is what is connected to. */
function checkedLookup(allowed: AddressCheck): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => allowed(address))) return callback(refused(notPublic), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
