import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { BusError, retryOf } from '@order-automation/bus';
import { newId, ServiceError, unanswered, unavailable } from '@order-automation/contracts';

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/** The sender's `X-Request-Id` when it is a sane one, else a new id. */
export const chooseRequestId = (incoming: string | readonly string[] | undefined, now: number): string =>
  typeof incoming === 'string' && saneRequestId.test(incoming) ? incoming : newId('req', now);

export const requestIdOf = (res: ServerResponse): string => String(res.getHeader('X-Request-Id') ?? '');

/** Sends JSON as one prepared buffer. Does nothing when an answer has begun already. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent || res.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  // A request that is answered while its body still arrives: the connection cannot serve another one.
  const isCutOff = hasBody(res.req) && !res.req.complete;
  if (!isCutOff) return void res.end(bytes);
  res.setHeader('Connection', 'close');
  res.write(bytes);
  endWhenRead(res);
}

/** Milliseconds for which what still arrives of a request is thrown away once it is answered. */
const maxLingering = 1_000;

/**
 * Ends an answer that is written whole when its sender has stopped, or a second later: a connection closed with something unread is reset, and the
 * answer lost with it (RFC 9112, section 9.6).
 */
export function endWhenRead(res: ServerResponse): void {
  const { req } = res;
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, maxLingering);
  req.once('end', end).once('close', end).resume();
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Answers an error in the documented shape; returns whether it was unforeseen. An answer that has begun is cut off, so that nobody takes it for whole. */
export function sendError(res: ServerResponse, error: unknown, basePath = ''): boolean {
  const { status, body, headers, unexpected } = errorAnswer(error, basePath);
  if (res.headersSent) {
    res.destroy();
    return unexpected;
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Cache-Control', 'no-store');
  sendJson(res, status, body);
  return unexpected;
}

/**
 * What a client learns of an error (section 7 of the specification), and whether it is worth more than a debug line in the log. One that is not meant
 * for the caller becomes 500 without a word of its own. Routes that it names are those below `basePath`.
 */
export function errorAnswer(error: unknown, basePath = '') {
  const known = asServiceError(error);
  const refusal = known ?? internalError;
  const { status } = refusal;
  const wait = status === 503 ? 1 : refusal.data.retry_after;
  const headers = typeof wait === 'number' && wait >= 0 ? waitHeaders(status, Math.ceil(wait)) : {};
  const body = refusal.body();
  const shown = basePath === '' ? body : (JSON.parse(routesBelow(basePath, JSON.stringify(body))) as typeof body);
  return { status, body: shown, headers, unexpected: known === undefined };
}

const routesBelow = (basePath: string, text: string): string =>
  text.replace(/\b((?:GET|POST|PUT|PATCH|DELETE) )(?=\/(?:v1|pro\/v1|docs)\b)/g, `$1${basePath}`);

const internalError = new ServiceError(500, 'svc_internal_error', 'Something went wrong on our side.');

function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error.status >= 400 && error.status <= 599 ? error : undefined;
  if (error instanceof BusError && error.code === 'timeout') return unanswered('bus');
  if (retryOf(error) === 'later') return unavailable(error instanceof BusError ? 'bus' : 'store');
  if (error instanceof URIError) return new ServiceError(400, 'rest_invalid_param', 'The address is not valid.');
  return undefined;
}

/** `Retry-After`, and where a limit was reached the same in the words of draft-ietf-httpapi-ratelimit-headers: nothing remains for so many seconds. */
function waitHeaders(status: number, seconds: number): Readonly<Record<string, string>> {
  const retry = { 'Retry-After': String(seconds) };
  return status === 429 ? { ...retry, RateLimit: `"attempts";r=0;t=${seconds}` } : retry;
}

/** What never became a request, by the code of Node.js: the documented refusal. */
const brokenRequests: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new ServiceError(431, 'rest_headers_too_large', 'The request headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError(408, 'rest_request_timeout', 'The request took too long to arrive.'),
};
const notHttp = new ServiceError(400, 'rest_bad_request', 'The request is not valid HTTP.');

/** For what never became a request: the answer as bytes, in the documented shape. */
export function answerBrokenRequest({ code = '' }: NodeJS.ErrnoException, socket: Duplex, now: number): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = brokenRequests[code] ?? notHttp;
  const text = JSON.stringify(refusal.body());
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nConnection: close\r\nX-Request-Id: ${newId('req', now)}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
