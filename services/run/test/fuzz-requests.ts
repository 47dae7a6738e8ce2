import fc from 'fast-check';

/** Requests made from an OpenAPI document: mostly such as it allows, with parts that it does not. */

export type JsonSchema = { readonly [key: string]: unknown };
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};
export type Operation = {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    schema: JsonSchema;
    example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema; example?: unknown }>> };
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: JsonSchema }>> }>>;
};

export type Who = 'administrator' | 'nobody' | 'stranger';
export type FuzzRequest = {
  readonly path: string;
  readonly who: Who;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

const hostile = fc.constantFrom(
  '',
  ' ',
  'null',
  '0',
  '-1',
  '1e309',
  '9007199254740993',
  '$where',
  '{"$ne":""}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '{{order.total}}',
  '{{nothing}}',
  '%00',
  '\u0000',
  '\ufffe',
  '👩‍👩‍👧',
  'é'.repeat(300),
  'x'.repeat(5_000),
  '(a+)+$',
  '*/1 * * * *',
  '2026-02-30T10:00:00Z',
);
const wild = fc.oneof(
  hostile,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, [], {}),
);

/** Values of a schema; now and then something else in their place. */
function valuesOf(schema: JsonSchema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 25, arbitrary: fitting(schema, document, depth) }, { weight: 1, arbitrary: wild });
}

function fitting(schema: JsonSchema, document: Document, depth: number): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, allOf, enum: values, const: constant, type } = schema;
  const forms = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined;
  if (depth > 6) return fc.constant(null);
  if ($ref !== undefined)
    return fitting(document.components.schemas[String($ref).split('/').at(-1) ?? ''] ?? {}, document, depth + 1);
  if (forms) return fc.oneof(...forms.map((form) => valuesOf(form, document, depth + 1)));
  if (values !== undefined) return fc.constantFrom(...(values as unknown[]));
  if (constant !== undefined) return fc.constant(constant);
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ noNaN: true, min: -1e9, max: 1e9 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as JsonSchema, document, depth + 1), { maxLength: 4 });
    case 'object':
      return objectOf(schema, document, depth);
    default:
      return wild;
  }
}

function rangeOf({ minimum, maximum }: JsonSchema): { min: number; max: number } {
  const within = (limit: unknown, otherwise: number) =>
    typeof limit === 'number' ? Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, limit)) : otherwise;
  return { min: within(minimum, -1000), max: within(maximum, 100_000) };
}

function textOf({ pattern, format, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(pattern));
    } catch {
      return fc.string();
    }
  }
  return fc.oneof(fc.string({ maxLength: Number(maxLength ?? 40) > 100 ? 100 : Number(maxLength ?? 40) }), hostile);
}

function objectOf(schema: JsonSchema, document: Document, depth: number): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as { properties?: Record<string, JsonSchema>; required?: string[]; additionalProperties?: unknown };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valuesOf(property, document, depth + 1)]),
  );
  const whole = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  const incomplete = fc.record(fields, { requiredKeys: [] });
  const more = fc.dictionary(fc.string({ maxLength: 12 }), wild, { maxKeys: 3 });
  const strange = fc.tuple(whole, more).map(([fields, further]) => ({ ...fields, ...further }));
  const often = additionalProperties === undefined || additionalProperties === false ? 1 : 8;
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 1, arbitrary: incomplete },
    { weight: often, arbitrary: strange },
  );
}

const broken = fc.constantFrom(
  '{',
  '[1,',
  '"',
  'nothing',
  '[]',
  '"text"',
  '17',
  `${'['.repeat(80)}${']'.repeat(80)}`,
  '\ud800',
);
const otherHeaders = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { 'if-match': '"1"' },
  { 'if-match': '"x", "y"' },
  { 'if-none-match': '*' },
  { 'x-request-id': 'fuzz_1' },
  { accept: 'text/csv' },
  { 'content-encoding': 'gzip' },
  { origin: 'https://evil.example' },
);

/** Requests of one operation. */
export function requestsOf(path: string, operation: Operation, document: Document): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? [];
  const value = ({ schema, example }: (typeof parameters)[number]) =>
    example === undefined
      ? valuesOf(schema, document)
      : fc.oneof({ weight: 2, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: valuesOf(schema, document) });
  const record = (place: 'path' | 'query') => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name);
    return fc.record(Object.fromEntries(own.map((parameter) => [parameter.name, value(parameter)])), { requiredKeys });
  };
  const unknown = fc.record({ 'pgae[$ne]': wild }, { requiredKeys: [] });
  const query = fc.oneof(
    { weight: 9, arbitrary: record('query') },
    { weight: 1, arbitrary: fc.tuple(record('query'), unknown).map(([known, more]) => ({ ...known, ...more })) },
  );
  const who = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Who>('administrator') },
    { weight: 1, arbitrary: fc.constantFrom<Who>('nobody', 'stranger') },
  );
  return fc
    .record({ params: record('path'), query, who, headers: otherHeaders, sent: bodyOf(operation, document) })
    .map(({ params, query, who, headers, sent }) => ({
      path: filled(path, params as Record<string, unknown>) + queryText(query as Record<string, unknown>),
      who,
      headers: { ...headers, ...sent.headers },
      body: sent.body,
    }));
}

type Sent = { readonly headers: Record<string, string>; readonly body: string | undefined };

function bodyOf({ requestBody }: Operation, document: Document): fc.Arbitrary<Sent> {
  if (!requestBody) return fc.constant({ headers: {}, body: undefined });
  const forms = Object.entries(requestBody.content).map(([type, { schema, example }]) => {
    const fits = valuesOf(schema, document).map((value) => JSON.stringify(value) ?? '');
    const texts = fc.oneof(
      { weight: 8, arbitrary: fits },
      { weight: 2, arbitrary: example === undefined ? fits : fc.constant(JSON.stringify(example)) },
      { weight: 1, arbitrary: broken },
    );
    return texts.map((body) => ({ headers: { 'content-type': type }, body }));
  });
  const other = fc.constantFrom<Sent>(
    { headers: { 'content-type': 'text/plain' }, body: 'a=b' },
    { headers: { 'content-type': 'application/json' }, body: '' },
    { headers: {}, body: undefined },
  );
  return fc.oneof({ weight: 15, arbitrary: fc.oneof(...forms) }, { weight: 1, arbitrary: other });
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));

function filled(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textIn(params[name]).toWellFormed().slice(0, 2_000);
    return encodeURIComponent(/^\.{0,2}$/.test(text) ? 'x' : text);
  });
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => `${name}=${encodeURIComponent(textIn(one).toWellFormed().slice(0, 2_000))}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
