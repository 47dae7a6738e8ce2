import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { sendJson } from '../http-server/answers';
import { type Answer, type Headers, operationIdOf, type Route } from './route';

/** Headers that follow from the row, on every answer of the route: successes and refusals. */
export function rowHeaders(row: Route, basePath: string): Headers {
  return { 'Cache-Control': 'no-store', Link: `<${basePath}/docs#${operationIdOf(row)}>; rel="service-doc"` };
}

/** Sends what a handler answered in the form that the row promises; 304 when the caller has this version already. */
export async function sendAnswer(row: Route, req: Request, res: Response, answer: Answer): Promise<void> {
  const { status = 200, body, headers = {} } = answer;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.statusCode = status;
  if (req.method === 'GET' && row.etag !== 'version' && isKnown(res.getHeader('ETag'), req.get('if-none-match'))) {
    res.statusCode = 304;
    res.end();
  } else if (row.kind === 'stream') await sendStream(row, req, res, body as AsyncIterable<Piece>);
  else if (row.kind === 'html') sendText(res, String(body));
  else sendJson(res, status, body);
}

/** Whether `If-None-Match` names the version. `req.fresh` would not say so to browsers' fetch, which sends `Cache-Control: no-cache` beside it. */
function isKnown(etag: unknown, ifNoneMatch: string | undefined): boolean {
  if (typeof etag !== 'string' || ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''));
}

function sendText(res: Response, text: string): void {
  const bytes = Buffer.from(text);
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/** As fast as the client reads. A stream that fails halfway is cut off, so that nobody takes it for whole. */
async function sendStream(row: Route, req: Request, res: Response, body: AsyncIterable<Piece>): Promise<void> {
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', row.produces?.[0] ?? 'application/octet-stream');
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  const pieces = piecesOf(body);
  // What fails before its first piece is answered as a refusal.
  await pipeline(resumed(await pieces.next(), pieces), res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

type Piece = string | Uint8Array;

async function* piecesOf(body: AsyncIterable<Piece> | Iterable<Piece>): AsyncGenerator<Piece> {
  yield* body;
}

async function* resumed(first: IteratorResult<Piece>, rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, where the specification shows it so (section 2.5). `now` in milliseconds since the epoch. */
export const plainTimestamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replace('T', ' ');

/** Milliseconds with two decimals, as `execution_time` is given. */
export const executionTime = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
