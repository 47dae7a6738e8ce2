import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ServiceError } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { type RequestHandler, Router } from 'express';
import { unauthenticated } from '../auth/authorise';
import { directClient } from '../http/direct-client';
import { type Gate, permitted } from '../http/mount';
import type { Route } from '../http/route';
import { parsedBody } from '../http-server/json-body';
import type * as Mcp from './server';

/** Every user may ask, with a read-only password too: each route that a tool calls decides what the caller may do. */
const anybody = { method: 'GET', path: '/mcp', access: { needs: 'anybody' } } as const;

/** `POST /mcp`: the tools over streamable HTTP. Each request stands for itself: there are no sessions. */
export function mcpEndpoint(table: readonly Route[], gate: Gate, log: ServiceDeps['log']): Router {
  const answering: RequestHandler = async (req, res) => {
    // 24 MB, loaded when somebody asks.
    const { HttpTransport, mcpServer } = require('./server') as typeof Mcp;
    const ended = new AbortController();
    res.once('close', () => ended.abort());
    const transport = new HttpTransport({ enableJsonResponse: true });
    await mcpServer(directClient(table, gate, { req, signal: ended.signal, log })).connect(transport as Transport);
    const headers = new Headers(req.headers as Record<string, string>);
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    // It describes this answer; routes would take it for theirs.
    delete req.headers.accept;
    const answer = await transport.handleRequest(request, { parsedBody: req.body });
    res.status(answer.status).setHeaders(answer.headers);
    res.end(Buffer.from(await answer.arrayBuffer()));
  };
  const router = Router({ caseSensitive: true });
  router.post(/^\/mcp\/?$/, authenticated(gate), parsedBody(gate.bodies), answering);
  return router;
}

/** Accepts application passwords, and no cookies: no page of another site can ask. */
function authenticated(gate: Gate): RequestHandler {
  return async (req, res, next) => {
    // modelcontextprotocol.io/specification/2025-11-25/basic/transports, "Security Warning"
    const { origin } = req.headers;
    if (origin !== undefined && !gate.corsOrigins.includes(origin))
      throw new ServiceError(403, 'rest_forbidden', 'CORS_ORIGINS does not name the origin of this page.');
    res.locals.route = anybody.path;
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('WWW-Authenticate', 'Basic realm="Order automation", charset="UTF-8"');
    if (req.headers.authorization === undefined)
      throw unauthenticated('Send a user name and an application password as Basic credentials.');
    await permitted(anybody, gate, req);
    res.removeHeader('WWW-Authenticate');
    next();
  };
}
