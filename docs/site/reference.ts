import { operationIdOf, type Route } from '../../services/api-gateway/src/http/route';
import type { OpenApi } from '../../services/api-gateway/src/openapi/json-schema';
import { refusalsOf } from '../../services/api-gateway/src/openapi/refusals';
import { curlOf } from './curl';
import { type FieldSchema, fieldRow, fieldsOf } from './fields';
import { slugOf } from './markdown';

type Content = Readonly<Record<string, { readonly schema: FieldSchema }>>;
type Parameter = { readonly name: string; readonly required?: boolean; readonly schema: FieldSchema };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** What one page of the reference is about: the routes with one tag. */
export type Subject = { readonly title: string; readonly path: string; readonly rows: readonly Route[] };

/** In the order in which the table begins with them. Pages of the console are no interface. */
export function subjectsOf(table: readonly Route[]): readonly Subject[] {
  const tags = [...new Set(table.map(({ tag }) => tag))].filter((tag) => tag !== 'Console');
  return tags.map((tag) => ({
    title: tag,
    path: `reference/${slugOf(tag)}`,
    rows: table.filter((row) => row.tag === tag),
  }));
}

/** The Markdown of the list of all routes. */
export function contentsText(subjects: readonly Subject[]): string {
  const parts = subjects.map(({ title, path, rows }) => [`### ${title}`, contentsOf(rows, path)]);
  return ['## Routes', 'Programs read the same from [OpenAPI 3.1](../v1/openapi.json).', ...parts.flat()].join('\n\n');
}

function contentsOf(rows: readonly Route[], page: string): string {
  const lines = rows.map((row) => {
    const nonce = alwaysNonce(row) ? '. *Always with a nonce*' : '';
    return `- [${row.method} ${row.path}](${page}#${operationIdOf(row)}) ${row.summary}${nonce}`;
  });
  return lines.join('\n');
}

/** The Markdown of a subject's page. */
export function subjectText({ title, rows }: Subject, document: OpenApi): string {
  return [`# ${title}`, contentsOf(rows, ''), ...rows.map((row) => routeText(row, document))].join('\n\n');
}

/** The Markdown of the page of named schemas. */
export function objectsText({ components }: OpenApi): string {
  const { schemas } = components as { schemas: Readonly<Record<string, FieldSchema>> };
  const parts = Object.entries(schemas).map(([name, schema]) => `## ${name} {#schema-${name}}\n\n${fieldsOf(schema)}`);
  return ['# Objects', ...parts].join('\n\n');
}

/** One route: what it takes, what it answers, how it refuses. */
function routeText(row: Route, document: OpenApi): string {
  const { method, path, summary, description = '', answers } = row;
  const operation = document.paths[path]?.[method.toLowerCase()] as unknown as Operation;
  const { parameters = [], requestBody, responses } = operation;
  const parts = [
    `## ${method} \`${path}\` {#${operationIdOf(row)}}`,
    `${summary}. ${description}`,
    whoMay(row),
    parameters.length > 0 && '### Parameters',
    parameters
      .map(({ name, required, schema, ...more }) => fieldRow(name, { ...schema, ...more }, required))
      .join('\n'),
    requestBody && contentText('Body', requestBody.content),
    `### Example\n\n\`\`\`sh\n${curlOf(row)}\n\`\`\``,
    ...Object.keys(answers).map((status) => contentText(`Answer ${status}`, responses[status]?.content)),
    '### Refusals',
    refusalsOf(row)
      .map((refusal) => `- \`${refusal.status}\` \`${refusal.code}\`\\\n  ${refusal.meaning}`)
      .join('\n'),
  ];
  return parts.filter(Boolean).join('\n\n');
}

function contentText(heading: string, content: Content = {}): string {
  const types = Object.keys(content).join(' or ');
  const [first] = Object.values(content);
  return `### ${heading}${types === 'application/json' ? '' : ` (${types})`}\n\n${fieldsOf(first?.schema ?? {})}`;
}

function whoMay(row: Route): string {
  const { access, method } = row;
  if (access === 'open') return 'Open to everybody.';
  const groups: Partial<Record<string, string>> = { anybody: 'Every user.', administrator: 'Administrators.' };
  const users = groups[access.needs] ?? `Users with the capability \`${access.needs}\`.`;
  const nonce = alwaysNonce(row) ? ' Always with a nonce.' : method !== 'GET' ? ' Sessions send a nonce.' : '';
  return `${users}${nonce}${access.extended ? ' Extended edition.' : ''}`;
}

function alwaysNonce({ access }: Route): boolean {
  return access !== 'open' && access.nonce === 'always';
}
