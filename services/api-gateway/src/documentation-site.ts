import { join } from 'node:path';
import { ServiceError } from '@order-automation/contracts';
import express, { Router } from 'express';

const build = join(__dirname, '../dist/site');

/** Folders without a page of their own: the index has their pages. */
const isFolder = /^\/docs\/(?:guide|reference)\/?$/;

/** Serves the pages that `npm run build` wrote (docs/site). Browsers ask whether what they have is current. */
export function documentationSite(): Router {
  const files = express.static(build, {
    extensions: ['html'],
    setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache'),
  });
  const router = Router({ caseSensitive: true });
  router.get(
    /^\/docs(\/|$)/,
    (req, res, next) => {
      res.locals.route = '/docs';
      const page = /^\/docs\/(?:.*\/)?([^/]+)\/$/.exec(req.path)?.[1];
      if (isFolder.test(req.path)) res.redirect(301, page === undefined ? './' : '../');
      else if (page !== undefined) res.redirect(301, `../${page}`);
      else next();
    },
    files,
    () => {
      throw new ServiceError(404, 'rest_no_route', 'There is no such page.');
    },
  );
  return router;
}
