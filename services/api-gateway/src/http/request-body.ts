import { within } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { maxJsonDepth } from '@order-automation/service';
import type { Request, RequestHandler } from 'express';
import { Lexer, Parser, parseDocument } from 'yaml';
import type { BodyReader } from '../http-server/body-reader';
import { defaultMaxBody, jsonBody, readBody } from '../http-server/json-body';
import { allowLongUpload } from '../http-server/uploads';
import type { Route } from './route';

/** The middleware that reads the body of a route; undefined where the handler reads it, or none is expected. */
export function bodyMiddleware(row: Route, bodies: BodyReader): RequestHandler | undefined {
  if (row.rawBody) return checkedType(row.rawBody.types, row.rawBody.maxBytes);
  if (row.method === 'GET') return undefined;
  const json = jsonBody(bodies, row.maxBody);
  if (!row.yaml) return json;
  return async (req, res, next) => {
    if (mediaType(req) !== 'application/yaml') return json(req, res, next);
    refuseCompressed(req);
    const { body, release } = await readBody(bodies, req, row.maxBody ?? defaultMaxBody);
    res.once('close', release);
    req.body = parseYaml(body);
    next();
  };
}

/** Milliseconds in which a sender that is read from must send something. */
const stalled = 30_000;

const late = () => new ServiceError(408, 'rest_request_timeout', 'The request took too long to arrive.');

/** The bytes of a body, as they arrive, until there are too many. */
export async function* bodyBytes(req: Request, maxBytes: number): AsyncGenerator<Buffer> {
  allowLongUpload(req);
  let size = 0;
  const chunks = (req as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const { done, value: chunk } = await within(stalled, chunks.next(), late);
    if (done) return;
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function checkedType(types: readonly string[], maxBytes: number): RequestHandler {
  return (req, _res, next) => {
    refuseCompressed(req);
    if (!types.includes(mediaType(req)))
      throw unsupported(`The body must be sent as Content-Type: ${types.join(' or ')}.`);
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    next();
  };
}

function mediaType(req: Request): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function refuseCompressed(req: Request): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupported('The body must not be compressed.');
}

function unsupported(message: string): ServiceError {
  return new ServiceError(415, 'rest_unsupported_media_type', message);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(413, 'rest_body_too_large', `The body is larger than ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Uses of anchors; each may repeat a whole branch of the document. */
const maxAliases = 100;

/** YAML 1.2 of the core schema: what JSON can say, as deep as JSON may be, without tags of its own. Throws 400. */
export function parseYaml(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    if (nestsDeeper(text, maxJsonDepth)) throw tooDeep();
    const document = parseDocument(text, { schema: 'core', uniqueKeys: true });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) {
      const line = problem.linePos?.[0].line ?? 1;
      throw new ServiceError(400, 'rest_invalid_yaml', 'The body is not valid YAML.', {
        violations: [{ path: `line ${line}`, message: 'is not valid YAML' }],
      });
    }
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    if (isDeeper(value, maxJsonDepth)) throw tooDeep();
    return value;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(400, 'rest_invalid_yaml', 'The body is not valid YAML in UTF-8.');
  }
}

function tooDeep(): ServiceError {
  return new ServiceError(400, 'rest_invalid_yaml', `The body nests deeper than ${maxJsonDepth} levels.`);
}

/** Whether collections nest deeper than `limit`. Reads tokens and calls nothing recursively: composing a deep document ends the process. */
function nestsDeeper(text: string, limit: number): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    // The document itself, and the scalar that is being read.
    if (parser.stack.length > limit + 2) return true;
  }
  return false;
}

/** Aliases put one branch into another. */
function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((each) => isDeeper(each, limit - 1));
}
