import { join } from 'node:path';
import { ServiceError } from '@order-automation/contracts';
import compression from 'compression';
import express, { type Handler, Router } from 'express';

const documentation = join(__dirname, '../dist/site');
/** Names carry a hash of their content. */
const consoleFiles = join(__dirname, '../../console/dist/site/assets');

/** Folders without a page of their own: the index has their pages. */
const isFolder = /^\/docs\/(?:guide|reference)\/?$/;

const missing =
  (what: string): Handler =>
  () => {
    throw new ServiceError(404, 'rest_no_route', `There is no such ${what}.`);
  };
const named =
  (route: string): Handler =>
  (_, res, next) => {
    res.locals.route = route;
    next();
  };

/** Serves what `npm run build` wrote: the files that the console loads, and the pages of the documentation (docs/site), whose browsers ask whether what they have is current. */
export function builtSites(): Router {
  const router = Router({ caseSensitive: true });
  const files = express.static(consoleFiles, { immutable: true, maxAge: '1y', index: false, redirect: false });
  router.use('/assets', named('/assets/{name}'), compression(), files, missing('file'));
  router.get(
    /^\/docs(\/|$)/,
    named('/docs'),
    compression(),
    (req, res, next) => {
      const page = /^\/docs\/(?:.*\/)?([^/]+)\/$/.exec(req.path)?.[1];
      if (isFolder.test(req.path)) res.redirect(301, page === undefined ? './' : '../');
      else if (page !== undefined) res.redirect(301, `../${page}`);
      else next();
    },
    express.static(documentation, {
      extensions: ['html'],
      setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache'),
    }),
    missing('page'),
  );
  return router;
}
