import type { IncomingMessage } from 'node:http';
import { within } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { maxJsonDepth } from '@order-automation/service';
import type { Request, RequestHandler } from 'express';
import { Lexer, Parser, parseDocument } from 'yaml';
import type { BodyReader } from '../http-server/body-reader';
import {
  allowLongUpload,
  bodyTooLarge,
  bodyTooSlow,
  jsonParser,
  parsedBody,
  refuseCompressed,
  unsupportedMedia,
} from '../http-server/json-body';
import type { Route } from './route';

/** The middleware that reads the body of a route; undefined where the handler reads it, or none is expected. */
export function bodyMiddleware(row: Route, bodies: BodyReader): RequestHandler | undefined {
  if (row.rawBody) return checkedType(row.rawBody.types, row.rawBody.maxBytes);
  if (row.method === 'GET') return undefined;
  if (!row.yaml) return parsedBody(bodies, row.maxBody);
  const types = 'application/json or application/yaml';
  return parsedBody(bodies, row.maxBody, (req) =>
    mediaType(req) === 'application/yaml' ? parseYaml : jsonParser(req, types),
  );
}

/** Milliseconds in which a sender that is read from must send something. */
const stalled = 30_000;

/** The bytes of a body, as they arrive, until there are too many. */
export async function* bodyBytes(req: Request, maxBytes: number): AsyncGenerator<Buffer> {
  allowLongUpload(req);
  let size = 0;
  const chunks = (req as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const { done, value: chunk } = await within(stalled, chunks.next(), bodyTooSlow);
    if (done) return;
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

function checkedType(types: readonly string[], maxBytes: number): RequestHandler {
  return (req, _res, next) => {
    refuseCompressed(req);
    if (!types.includes(mediaType(req)))
      throw unsupportedMedia(`The body must be sent as Content-Type: ${types.join(' or ')}.`);
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
    next();
  };
}

const mediaType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Uses of anchors; each may repeat a whole branch of the document. */
const maxAliases = 100;

/** YAML 1.2 of the core schema: what JSON can say, as deep as JSON may be, without tags of its own. Throws 400. */
export function parseYaml(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    if (nestsDeeper(text, maxJsonDepth)) throw invalidYaml(tooDeep);
    const document = parseDocument(text, { schema: 'core', uniqueKeys: true });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) {
      const path = `line ${problem.linePos?.[0].line ?? 1}`;
      throw invalidYaml('The body is not valid YAML.', { violations: [{ path, message: 'is not valid YAML' }] });
    }
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    if (isDeeper(value, maxJsonDepth)) throw invalidYaml(tooDeep);
    return value;
  } catch (error) {
    throw error instanceof ServiceError
      ? error
      : invalidYaml(`The body is not YAML in UTF-8, or uses its anchors more than ${maxAliases} times.`);
  }
}

const tooDeep = `The body nests deeper than ${maxJsonDepth} levels.`;
const invalidYaml = (message: string, data = {}) => new ServiceError(400, 'rest_invalid_yaml', message, data);

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
