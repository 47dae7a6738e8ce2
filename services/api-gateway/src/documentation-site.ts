import { join } from 'node:path';
import { ServiceError } from '@order-automation/contracts';
import express, { Router } from 'express';

const build = join(__dirname, '../dist/site');

/** Serves the pages that `npm run build` wrote (docs/build.ts). Browsers ask whether what they have is current. */
export function documentationSite(): Router {
  const files = express.static(build, {
    extensions: ['html'],
    setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache'),
  });
  const router = Router({ caseSensitive: true });
  router.get(
    /^\/docs(\/|$)/,
    (_req, res, next) => {
      res.locals.route = '/docs';
      next();
    },
    files,
    () => {
      throw new ServiceError(404, 'rest_no_route', 'There is no such page.');
    },
  );
  return router;
}
