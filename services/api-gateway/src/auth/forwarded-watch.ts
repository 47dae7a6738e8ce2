import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';

const text =
  'Requests arrive with X-Forwarded-For, which TRUST_PROXY=0 ignores: behind a reverse proxy all senders count as one address and share its limits. Set TRUST_PROXY to the number of proxies in front.';

/** Notices a reverse proxy that the settings know nothing of, and says so once. */
export function forwardedWatch(trustedProxies: number, log: Logger) {
  let seen = false;
  return {
    note: (req: IncomingMessage) => {
      if (seen || trustedProxies > 0 || req.headers['x-forwarded-for'] === undefined) return;
      seen = true;
      log.warn(text);
    },
    /** What to do about the headers that came; null when none did. */
    warning: () => (seen ? text : null),
  };
}
