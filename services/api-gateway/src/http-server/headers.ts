import cors from 'cors';
import type { RequestHandler } from 'express';
import type { HelmetOptions } from 'helmet';
import headers from './headers.json';

/** What our pages load comes from us alone, scripts and styles are files of their own, and nobody shows them in a frame. */
export const securityHeaders: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: headers.policy },
  xFrameOptions: { action: 'deny' },
};

/** Seconds for which a browser remembers a preflight. */
const preflightAge = 600;

/** CORS for these origins, without credentials: another site's page sends an application password or a token, and never uses the session cookie. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: headers.allowed,
    exposedHeaders: headers.exposed,
    credentials: false,
    maxAge: preflightAge,
  });
}
