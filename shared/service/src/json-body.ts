import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@order-automation/contracts';
import type { RequestHandler } from 'express';
import { bodyTooLarge, parseJson, readBody } from './body';

/** Bytes of the largest body a JSON route takes by default. */
export const defaultMaxBody = 1024 * 1024;

const jsonType = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * Middleware that fills `req.body` with parsed JSON, or leaves it undefined when there is no body. Refuses with the documented
 * error shape: 413 `rest_body_too_large`, 415 `rest_unsupported_media_type`, 400 `rest_invalid_json`.
 */
export function jsonBody(maxBytes: number = defaultMaxBody): RequestHandler {
  return async (req, _res, next) => {
    req.body = await readJson(req, maxBytes);
    next();
  };
}

async function readJson(req: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  const refusal = unsupported(req);
  if (refusal) throw refusal;
  if (Number(req.headers['content-length']) > maxBytes) {
    await readBody(req, maxBytes).catch(() => undefined);
    throw bodyTooLarge(maxBytes);
  }
  const bytes = await readBody(req, maxBytes);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function unsupported(req: IncomingMessage): ServiceError | undefined {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return unsupportedMedia('The body must not be compressed.');
  if (jsonType.test(req.headers['content-type'] ?? '')) return undefined;
  return unsupportedMedia('The body must be sent as Content-Type: application/json.');
}

function unsupportedMedia(message: string): ServiceError {
  return new ServiceError(415, 'rest_unsupported_media_type', message);
}
