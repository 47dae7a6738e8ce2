import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@order-automation/contracts';
import { hasBody, sendError } from './answers';

const uploads = new WeakSet<IncomingMessage>();

/** The body may take as long as it needs; its reader watches that it keeps coming (`bodyBytes` of the api-gateway). */
export function allowLongUpload(req: IncomingMessage): void {
  uploads.add(req);
}

/** Node.js has one limit for all requests of a server, which is that of the longest upload: the others have this one. */
export function limitArrival(req: IncomingMessage, res: ServerResponse, timeout: number): void {
  if (!hasBody(req)) return;
  const timer = setTimeout(() => {
    if (req.complete || uploads.has(req)) return;
    sendError(res, new ServiceError(408, 'rest_request_timeout', 'The request took too long to arrive.'));
  }, timeout);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
