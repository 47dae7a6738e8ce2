import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError, unavailable } from '@order-automation/contracts';
import { isUnpacked } from '@order-automation/service';
import type { RequestHandler } from 'express';
import { hasBody, sendError } from './answers';
import type { BodyReader, Bytes } from './body-reader';
import { parseJson } from './parse-json';

/** Bytes of the largest body a JSON route takes by default. */
const defaultMaxBody = 1024 * 1024;

const jsonType = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * Middleware that fills `req.body` with what the parser makes of it, or leaves it undefined when there is no body. The body stays charged to `bodies`
 * until the answer is over. Refuses in the documented error shape: 413 `rest_body_too_large`, 415 `rest_unsupported_media_type`,
 * 400 `rest_invalid_json` and `rest_body_incomplete`, 408 `rest_request_timeout`, 503 `svc_unavailable`.
 */
export function parsedBody(
  bodies: BodyReader,
  maxBytes: number = defaultMaxBody,
  parserFor: (req: IncomingMessage) => (body: Bytes) => unknown = jsonParser,
): RequestHandler {
  return async (req, res, next) => {
    if (hasBody(req)) {
      refuseCompressed(req);
      const parse = parserFor(req);
      const { body, release } = await readBody(bodies, req, maxBytes);
      res.once('close', release);
      req.body = body.length === 0 ? undefined : parse(body);
    }
    next();
  };
}

export function jsonParser(req: IncomingMessage, types = 'application/json'): (body: Bytes) => unknown {
  if (jsonType.test(req.headers['content-type'] ?? '')) return parseJson;
  throw unsupportedMedia(`The body must be sent as Content-Type: ${types}.`);
}

type HeldBody = { readonly body: Bytes; readonly release: () => void };

/** The body as received; call `release` when it has been used (BodyReader). Rejects with a ServiceError: 413, 408, 503, or 400 when the sender left. */
export function readBody(bodies: BodyReader, req: IncomingMessage, maxBytes: number): Promise<HeldBody> {
  return new Promise((resolve, reject) => {
    bodies.collect(req, maxBytes, (outcome, release) => {
      if (outcome.kind === 'complete') resolve({ body: outcome.body, release });
      else reject(refusals[outcome.kind](maxBytes));
    });
  });
}

const refusals = {
  too_large: (maxBytes: number) => bodyTooLarge(maxBytes),
  overloaded: () => unavailable('memory for request bodies'),
  too_slow: () => bodyTooSlow(),
  aborted: () => new ServiceError(400, 'rest_body_incomplete', 'The body ended before it was complete.'),
};

export function bodyTooLarge(maxBytes: number): ServiceError {
  const data = { max_bytes: maxBytes };
  return new ServiceError(413, 'rest_body_too_large', `The body is larger than ${maxBytes} bytes.`, data);
}

export const bodyTooSlow = () => new ServiceError(408, 'rest_request_timeout', 'The request took too long to arrive.');
export const unsupportedMedia = (message: string) => new ServiceError(415, 'rest_unsupported_media_type', message);

export function refuseCompressed({ headers }: IncomingMessage): void {
  if (!isUnpacked(headers['content-encoding'])) throw unsupportedMedia('The body must not be compressed.');
}

const uploads = new WeakSet<IncomingMessage>();

/** The body may take as long as it needs; its reader watches that it keeps coming (`bodyBytes` of the api-gateway). */
export function allowLongUpload(req: IncomingMessage): void {
  uploads.add(req);
}

/** An answer that takes `timeout` milliseconds to begin: a connection on which nothing moves is closed earlier where that is longer. */
export function allowLongAnswer(req: IncomingMessage, timeout: number): void {
  if ((req.socket.timeout ?? 0) < timeout) req.setTimeout(timeout);
}

/** Node.js has one limit for all requests of a server, which is that of the longest upload: the others have this one. */
export function limitArrival(req: IncomingMessage, res: ServerResponse, timeout: number): void {
  if (!hasBody(req)) return;
  const timer = setTimeout(() => {
    if (!req.complete && !uploads.has(req)) sendError(res, bodyTooSlow());
  }, timeout);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
