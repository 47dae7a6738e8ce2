import { Html, html } from '@order-automation/service';
import { operationIdOf, type Route } from '../http/route';
import type { OpenApi } from '../openapi/document';
import type { JsonSchema } from '../openapi/json-schema';
import { refusalsOf } from '../openapi/refusals';
import { curlOf, exampleAddress } from './curl';
import { fieldRow, fieldsOf } from './fields';

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

/** One route: what it takes, what it answers, how it refuses. */
export function articleOf(row: Route, document: OpenApi): Html {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as unknown as Operation;
  const parameters = operation.parameters ?? [];
  return html`<article class="route" id="${operationIdOf(row)}"${isTried(row) && html` data-try="${exampleAddress(row)}"`}>
<h2><span class="method">${row.method}</span><code>${row.path}</code></h2>
<p>${row.summary}.${row.description === undefined ? undefined : html` ${sentence(row.description)}`}</p>
${row.deprecation && html`<p><strong>Deprecated</strong> since ${row.deprecation.since}; use ${row.deprecation.link}.</p>`}
<p class="who">${whoMay(row)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3><ul class="fields">${parameters.map(({ name, required, description, schema }) => fieldRow(name, { ...schema, description }, required))}</ul>`}
${bodyOf(operation)}
<h3>Example</h3>
<div class="command"><pre><code>${curlOf(row)}</code></pre></div>
${Object.keys(row.answers).map((status) => answer(status, operation))}
<h3>Refusals</h3>
<ul class="fields">${refusalsOf(row).map(({ status, code, meaning }) => html`<li><code>${status}</code> <code>${code}</code><p>${sentence(meaning)}</p></li>`)}</ul>
</article>`;
}

/** Routes that read JSON can be tried where they are described. */
const isTried = ({ method, kind = 'json' }: Route): boolean => method === 'GET' && kind === 'json';

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
  return html`<h3>Body (${types.join(' or ')})</h3>${fieldsOf(first?.schema ?? {})}`;
}

function answer(status: string, { responses }: Operation): Html {
  const [type, media] = Object.entries(responses[status]?.content ?? {})[0] ?? [];
  const { schema } = media ?? {};
  return html`<h3>Answer ${status}${type !== undefined && type !== 'application/json' ? ` (${type})` : ''}</h3>${fieldsOf(schema ?? {})}`;
}

/** Text in which back quotes mark what is code. */
function sentence(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return new Html(parts.map((part) => part.text).join(''));
}
