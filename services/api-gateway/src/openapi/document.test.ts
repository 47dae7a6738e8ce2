import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Route } from '../http/route';
import texts from '../http/route-texts.json';
import { table } from '../routes';
import { openApiOf } from './document';
import type { JsonSchema } from './json-schema';

const rows: readonly Route[] = table;
const document = openApiOf(rows, { version: '1.2.3', basePath: '/automation' });
const operations = rows.map((row): [string, Route, JsonSchema] => [
  `${row.method} ${row.path}`,
  row,
  document.paths[row.path]?.[row.method.toLowerCase()] ?? {},
]);

const ajv = addFormats(new Ajv({ strict: false }));
ajv.addSchema({ $id: 'openapi', ...document });

/** Every value in the document under this key, wherever it is. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (Array.isArray(within)) return within.flatMap((item) => valuesOf(key, item));
  if (within === null || typeof within !== 'object') return [];
  return Object.entries(within).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)]);
}

function resolved(reference: string): unknown {
  const path = reference.slice(2).split('/');
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

test('says where it is and what it is', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' }, servers: [{ url: '/automation' }] });
});

test('every reference leads somewhere, every named schema is used, every operation has a name of its own', () => {
  const references = valuesOf('$ref', document).map(String);
  expect(references.filter((reference) => resolved(reference) === undefined)).toEqual([]);
  const { schemas } = document.components as { schemas: object };
  const used = new Set(references);
  expect(Object.keys(schemas).filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  const ids = valuesOf('operationId', document.paths);
  expect(new Set(ids).size).toBe(rows.length);
});

test('every text is about a route', () => {
  const names = new Set(operations.map(([name]) => name));
  expect(Object.keys(texts).filter((name) => !names.has(name))).toEqual([]);
});

test.each(operations)(
  '%s: parameters of the path, and the example fits the schema of the body',
  (_name, row, operation) => {
    const declared = (operation.parameters ?? []) as {
      in: string;
      name: string;
      example?: unknown;
      schema: JsonSchema;
    }[];
    const inPath = declared.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(Object.keys(row.example?.params ?? {}).sort()).toEqual([...inPath].sort());
    const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: JsonSchema }> } };
    const schema = requestBody?.content['application/json']?.schema;
    if (!schema || row.rawBody) return;
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    expect([ajv.validate(JSON.parse(text), row.example?.body), ajv.errorsText()]).toEqual([true, 'No errors']);
  },
);

test('what text stands for is what a parameter is', () => {
  const { parameters } = (document.paths['/v1/audit-log']?.get ?? {}) as { parameters: { name: string }[] };
  const named = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  expect(named.page).toEqual({
    name: 'page',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
  });
  expect(named.include_debug).toMatchObject({ schema: { type: 'boolean', default: false } });
});

test('who may, in every way to prove it', () => {
  expect(document.paths['/v1/rules/{id}']?.delete?.security).toEqual([
    { session: [], nonce: [] },
    { applicationPassword: [] },
  ]);
  expect(document.paths['/v1/webhooks/health']?.get).toMatchObject({ security: [] });
});
