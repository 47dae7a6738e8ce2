import type { OpenApi } from '../openapi/document';
import type { JsonSchema } from '../openapi/json-schema';
import { refusalsOf } from '../openapi/refusals';
import { operationIdOf, type Route } from '../routes/route';
import { curlOf } from './curl';
import { fieldRow, fieldsOf } from './fields';
import { guideNames, guideTitle } from './guides';
import { Html, html } from './html';
import { type Place, page } from './layout';

/** The page that describes every route. */
export function referencePage(place: Place, table: readonly Route[], document: OpenApi): string {
  const tags = [...new Set(table.map(({ tag }) => tag))];
  const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
  const content = html`<h1>Interface</h1>
<p>Every address below begins with the address of this service. The same as a file for programs: <a href="${place.basePath}/v1/openapi.json">OpenAPI 3.1</a>.</p>
${guideList(place)}
${introduction()}
<h2 id="routes">Routes</h2>
<div class="search" hidden><label for="search-routes">Find a route</label><input id="search-routes" type="search"></div>
<nav class="toc" aria-label="Routes">${tags.map((tag) => contents(tag, table))}</nav>
${tags.map((tag) => section(tag, table, document))}
<h2 id="schemas">Objects</h2>
${Object.entries(schemas).map(([name, schema]) => html`<section><h3 id="schema-${name}">${name}</h3>${fieldsOf(schema)}</section>`)}`;
  return page(place, 'Interface · Order automation', content);
}

export function guideList({ basePath }: Place): Html {
  const links = guideNames.map(
    (name) => html`<li><a href="${basePath}/docs/guide/${name}">${guideTitle(name)}</a></li>`,
  );
  return html`<h2 id="guides">Guides</h2><ul class="cards">${links}</ul>`;
}

function introduction(): Html {
  return html`<h2 id="access">Before the first request</h2>
<p>The commands on this page want two variables: the address of the service, and a user name with an application password.</p>
<div class="command"><pre><code>BASE=http://127.0.0.1:8080
LOGIN='admin:xxxx xxxx xxxx xxxx xxxx xxxx'</code></pre></div>
<p>The first start of the embedded product writes an application password to <code>data/generated.env</code>; <a href="#post-v1-auth-application-passwords">another</a> is made
with it. Application passwords are accepted over HTTPS, and over HTTP from the same machine.</p>
<p>Some routes want a nonce as well, and sessions by cookie want one for every change:</p>
<div class="command"><pre><code>NONCE=$(curl -sS -u "$LOGIN" "$BASE/v1/auth/nonce" | sed 's/.*"nonce":"\\([^"]*\\)".*/\\1/')</code></pre></div>
<p>A refusal has the body <code>{"code", "message", "data": {"status"}}</code>. <code>data.violations</code> lists everything that is wrong with a request.
Every answer carries <code>X-Request-Id</code>, under which the log of the service has the details.</p>`;
}

function contents(tag: string, table: readonly Route[]): Html {
  const rows = table.filter((row) => row.tag === tag);
  const items = rows.map(
    (row) =>
      html`<li data-text="${`${row.method} ${row.path} ${row.summary}`.toLowerCase()}"><a href="#${operationIdOf(row)}"><span class="method">${row.method}</span>${row.path}</a> ${row.summary}</li>`,
  );
  return html`<h3>${tag}</h3><ul>${items}</ul>`;
}

function section(tag: string, table: readonly Route[], document: OpenApi): Html {
  return html`<h2>${tag}</h2>${table.filter((row) => row.tag === tag).map((row) => article(row, document))}`;
}

type Operation = {
  readonly parameters?: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  readonly requestBody?: { content: Record<string, { schema: JsonSchema }> };
  readonly responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
};

function article(row: Route, document: OpenApi): Html {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as unknown as Operation;
  const parameters = operation.parameters ?? [];
  return html`<article class="route" id="${operationIdOf(row)}">
<h3><span class="method">${row.method}</span><code>${row.path}</code></h3>
<p>${row.summary}.${row.description === undefined ? undefined : html` ${sentence(row.description)}`}</p>
${row.deprecation && html`<p><strong>Deprecated</strong> since ${row.deprecation.since}; use ${row.deprecation.link}.</p>`}
<p class="who">${whoMay(row)}</p>
${parameters.length > 0 && html`<h4>Parameters</h4><ul class="fields">${parameters.map(({ name, required, description, schema }) => fieldRow(name, { ...schema, description }, required))}</ul>`}
${bodyOf(operation)}
<h4>Example</h4>
<div class="command"><pre><code>${curlOf(row)}</code></pre></div>
${Object.keys(row.answers).map((status) => answer(status, operation))}
<h4>Refusals</h4>
<ul class="fields">${refusalsOf(row).map(({ status, code, meaning }) => html`<li><code>${status}</code> <code>${code}</code><p>${sentence(meaning)}</p></li>`)}</ul>
</article>`;
}

function whoMay({ access, method }: Route): string {
  if (access === 'open') return 'Open to everybody.';
  const needs =
    access.needs === 'anybody'
      ? 'Every user.'
      : access.needs === 'administrator'
        ? 'Administrators.'
        : `Users with the capability ${access.needs}.`;
  const nonce = access.nonce === 'always' ? ' Always with a nonce.' : method !== 'GET' ? ' Sessions send a nonce.' : '';
  return `${needs}${nonce}${access.extended ? ' Extended edition.' : ''}`;
}

function bodyOf({ requestBody }: Operation): Html | undefined {
  if (!requestBody) return undefined;
  const types = Object.keys(requestBody.content);
  const [first] = Object.values(requestBody.content);
  return html`<h4>Body (${types.join(' or ')})</h4>${fieldsOf(first?.schema ?? {})}`;
}

function answer(status: string, { responses }: Operation): Html {
  const [type, media] = Object.entries(responses[status]?.content ?? {})[0] ?? [];
  const { schema } = media ?? {};
  return html`<h4>Answer ${status}${type !== undefined && type !== 'application/json' ? ` (${type})` : ''}</h4>${fieldsOf(schema ?? {})}`;
}

/** Text in which back quotes mark what is code. */
function sentence(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return new Html(parts.map((part) => part.text).join(''));
}
