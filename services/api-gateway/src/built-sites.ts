import { join } from 'node:path';
import { ServiceError } from '@order-automation/contracts';
import compression from 'compression';
import express, { type Handler, Router } from 'express';

const documentation = join(__dirname, '../dist/site');
/** Names carry a hash of their content. */
const consoleFiles = join(__dirname, '../../console/dist/site/assets');

/** Folders without a page of their own: the index has their pages. */
const isFolder = /^\/docs\/(?:guide|reference)\/?$/;

const missing: Handler = () => {
  throw new ServiceError(404, 'rest_no_route', 'There is no such page or file.');
};
/** Browsers get a page that leads to the documentation. */
const missingPage: Handler = (req, res, next) => {
  if (req.accepts(['json', 'html']) !== 'html') return missing(req, res, next);
  const docs = `${req.baseUrl}/docs/`;
  const head = `<meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>There is no such page</title><link rel="stylesheet" href="${docs}assets/docs.css" />`;
  const body = `<main><h1>There is no such page</h1><p>Find it in the <a href="${docs}">documentation</a>.</p></main>`;
  res.status(404).vary('Accept').type('html').send(`<!doctype html><html lang="en">${head}${body}</html>`);
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
  router.use('/assets', named('/assets/{name}'), compression(), files, missing);
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
    missingPage,
  );
  return router;
}
