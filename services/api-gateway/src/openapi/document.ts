import type { z } from 'zod';
import { sessionCookie } from '../auth/credentials';
import { operationIdOf, type Route, takesTokens } from '../http/route';
import { textTag } from '../http/version-tag';
import { componentSchemas, type JsonSchema, jsonSchemaOf, type OpenApi, type ServedOpenApi } from './json-schema';
import { errorSchema, namedSchemas } from './named-schemas';
import { type Refusal, refusalsOf } from './refusals';
import texts from './texts.json';

export type DocumentInfo = { readonly version: string; readonly basePath: string };

const json = 'application/json';
const schemaOf = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, namedSchemas);

/** Makes the document when it is first asked for. */
export function servedOpenApi(table: readonly Route[], info: DocumentInfo): () => ServedOpenApi {
  let served: ServedOpenApi | undefined;
  return () => {
    if (served) return served;
    const document = openApiOf(table, info);
    served = { document, tag: textTag(JSON.stringify(document)) };
    return served;
  };
}

export function openApiOf(table: readonly Route[], { version, basePath }: DocumentInfo): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const row of table) paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Order automation',
      version,
      description: texts.description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: [...new Set(table.map(({ tag }) => tag))].map((name) => ({ name, description: texts.tags[name] })),
    paths,
    components: {
      schemas: { ...componentSchemas(namedSchemas) },
      securitySchemes: { ...texts.security, session: { ...texts.security.session, name: sessionCookie } },
      headers: { RequestId: { description: 'Names this request in the log.', schema: { type: 'string' } } },
    },
  };
}

function operation(row: Route): JsonSchema {
  const { summary, description, tag } = row;
  const parameters = [
    ...parametersOf(row.params, 'path', row),
    ...parametersOf(row.query, 'query', row),
    ...versionParameters(row),
  ];
  return {
    operationId: operationIdOf(row),
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: securityOf(row),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(row),
    responses: { ...answersOf(row), ...unchangedAnswer(row), ...refusalAnswers(row) },
  };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', { example }: Route): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  const examples = (place === 'path' ? example?.params : example?.query) ?? {};
  const usable = Object.entries(properties).filter(([, property]) => !('not' in property));
  return usable.map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(examples[name] !== undefined && { example: examples[name] }),
    };
  });
}

/** What a caller can say about the version that it knows. */
function versionParameters({ method, etag, ifMatch }: Route): JsonSchema[] {
  const parameter = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  const known = parameter('If-None-Match', 'The ETag that was read; 304 when it is still current.');
  const expected = parameter('If-Match', 'The ETag that was read; 412 when there is a newer version.');
  return [...(etag === true && method === 'GET' ? [known] : []), ...(ifMatch ? [expected] : [])];
}

function unchangedAnswer({ method, etag }: Route): JsonSchema {
  if (etag !== true || method !== 'GET') return {};
  return { 304: { description: 'The version that `If-None-Match` names is current.', headers } };
}

function requestBody({ body, yaml, rawBody, example }: Route): JsonSchema {
  if (rawBody) {
    const content = Object.fromEntries(rawBody.types.map((type) => [type, { schema: {} }]));
    return { requestBody: { required: true, content } };
  }
  if (!body) return {};
  const media = { schema: schemaOf(body), ...(example?.body !== undefined && { example: example.body }) };
  const content = yaml ? { [json]: media, 'application/yaml': media } : { [json]: media };
  return { requestBody: { required: true, content } };
}

const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function answersOf(row: Route): JsonSchema {
  const entries = Object.entries(row.answers).map(([status, schema]) => {
    const description = status === '201' ? 'Created.' : status.startsWith('2') ? 'Success.' : 'See the body.';
    return [status, { description, headers, content: answerContent(row, schema) }];
  });
  return Object.fromEntries(entries);
}

function answerContent({ kind, document, produces = [] }: Route, schema: z.ZodType): JsonSchema {
  if (kind === 'html') return { 'text/html': { schema: { type: 'string' } } };
  if (kind !== 'stream') return { [json]: { schema: schemaOf(schema) } };
  const whole = document ? schemaOf(document) : {};
  const schemaFor = (type: string) => (type === json ? whole : { type: 'string' });
  return Object.fromEntries(produces.map((type) => [type, { schema: schemaFor(type) }]));
}

/** One answer a status, which lists the codes that it may carry; beside the body of the row's own where it has one of this status. */
function refusalAnswers(row: Route): JsonSchema {
  const refusals: readonly Refusal[] = refusalsOf(row);
  const answers: Record<string, JsonSchema> = {};
  for (const status of new Set(refusals.map((refusal) => refusal.status))) {
    const those = refusals.filter((refusal) => refusal.status === status);
    const codes = those.map(({ code }) => code);
    const refusal = { allOf: [schemaOf(errorSchema), { properties: { code: { enum: codes } } }] };
    const own = row.answers[status];
    const schema = own ? { anyOf: [schemaOf(own), refusal] } : refusal;
    const [first] = those;
    const example = { code: first?.code, message: first?.meaning.replaceAll('`', ''), data: { status } };
    const description = those.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('\n\n');
    answers[status] = { description, headers, content: { [json]: { schema, example } } };
  }
  return answers;
}

/** Ways to be let in; each is enough by itself. */
function securityOf({ access, method, path }: Route): JsonSchema[] {
  if (access === 'open') return [];
  const always = access.nonce === 'always' ? { nonce: [] } : {};
  const changes = method !== 'GET' ? { nonce: [] } : always;
  return [
    { session: [], ...changes },
    { applicationPassword: [], ...always },
    ...(takesTokens({ path, access }) ? [{ token: [], ...always }] : []),
  ];
}
