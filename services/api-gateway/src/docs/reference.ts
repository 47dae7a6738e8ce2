import { type Html, html } from '@order-automation/service';
import { operationIdOf, type Route } from '../http/route';
import type { OpenApi } from '../openapi/document';
import type { JsonSchema } from '../openapi/json-schema';
import { articleOf } from './article';
import { fieldsOf } from './fields';
import {
  type GuideName,
  guideSource,
  operationsNames,
  type TextName,
  textNames,
  textSource,
  titleOf,
  userGuideNames,
} from './guides';
import { type LinkGroup, type Place, page } from './layout';
import { rendered } from './markdown';
import { type Subject, subjectsOf } from './subjects';

/** The list at the side of every page. */
export function sideOf(table: readonly Route[]): readonly LinkGroup[] {
  const guides = (names: readonly GuideName[]) =>
    names.map((name) => ({ path: `/docs/guide/${name}`, title: titleOf(guideSource(name)) }));
  const subjects = subjectsOf(table).map(({ slug, tag }) => ({ path: `/docs/reference/${slug}`, title: tag }));
  const texts = textNames.map((name) => ({ path: `/docs/${name}`, title: titleOf(textSource(name)) }));
  return [
    { title: 'Guides', links: guides(userGuideNames) },
    { title: 'Interface', links: [...subjects, { path: '/docs/reference/objects', title: 'Objects' }] },
    { title: 'Operations', links: [...texts, ...guides(operationsNames)] },
  ];
}

export type Pages = {
  /** Where to go from `/docs`: guides, subjects, and every route by its old address on this page. */
  index(): string;
  /** Undefined where the table has no such subject. */
  subject(slug: string): string | undefined;
  guide(name: GuideName): string;
  text(name: TextName): string;
};

export function pagesOf(place: Place, table: readonly Route[], openApi: () => OpenApi): Pages {
  const side = sideOf(table);
  const subjects = subjectsOf(table);
  const whole = (path: string, title: string, content: Html) => page(place, { path, title, side, content });
  return {
    index: () => whole('/docs', 'Documentation', indexContent(place, subjects)),
    subject: (slug) => {
      if (slug === 'objects') return whole('/docs/reference/objects', 'Objects', objects(openApi()));
      const subject = subjects.find((one) => one.slug === slug);
      return subject && whole(`/docs/reference/${slug}`, subject.tag, subjectContent(subject, openApi()));
    },
    guide: (name) => whole(`/docs/guide/${name}`, titleOf(guideSource(name)), rendered(guideSource(name))),
    text: (name) => whole(`/docs/${name}`, titleOf(textSource(name)), rendered(textSource(name))),
  };
}

function indexContent({ basePath }: Place, subjects: readonly Subject[]): Html {
  const cards = (names: readonly GuideName[]) =>
    names.map((name) => html`<li><a href="${basePath}/docs/guide/${name}">${titleOf(guideSource(name))}</a></li>`);
  return html`<h1>Documentation</h1>
<p>Every address below begins with the address of this service. The same as a file for programs: <a href="${basePath}/v1/openapi.json">OpenAPI 3.1</a>.</p>
<h2 id="guides">Guides</h2><ul class="cards">${cards(userGuideNames)}</ul>
<h2 id="operations">Operations</h2><ul class="cards">${cards(operationsNames)}</ul>
${introduction(basePath, subjects)}
<h2 id="routes">Routes</h2>
<div class="toc">${subjects.map((subject) => contents(subject, basePath))}</div>`;
}

function introduction(basePath: string, subjects: readonly Subject[]): Html {
  return html`<h2 id="access">Before the first request</h2>
<p>The commands of these pages want two variables: the address of the service, and a user name with an application password.</p>
<div class="command"><pre><code>BASE=http://127.0.0.1:8080
LOGIN='admin:xxxx xxxx xxxx xxxx xxxx xxxx'</code></pre></div>
<p>The first start of the embedded product writes an application password to <code>data/generated.env</code>;
<a href="${basePath}/docs/reference/accounts#post-v1-auth-application-passwords">another</a> is made with it, or in the settings of the console. Application passwords
are accepted over HTTPS, and over HTTP from the same machine.</p>
${nonces(subjects.flatMap(({ rows }) => rows))}
<div class="command"><pre><code>NONCE=$(curl -sS -u "$LOGIN" "$BASE/v1/auth/nonce" | sed 's/.*"nonce":"\\([^"]*\\)".*/\\1/')</code></pre></div>
<p>A refusal has the body <code>{"code", "message", "data": {"status"}}</code>. <code>data.violations</code> lists everything that is wrong with a request.
Every answer carries <code>X-Request-Id</code>, under which the log of the service has the details.</p>`;
}

/** Which requests want a nonce, from whom. */
function nonces(table: readonly Route[]): Html {
  const always = table.filter(({ access }) => access !== 'open' && access.nonce === 'always');
  const named = always.map(
    (row) => html`<li><a href="#${operationIdOf(row)}"><span class="method">${row.method}</span>${row.path}</a></li>`,
  );
  return html`<h3 id="nonces">Nonces</h3>
<table><thead><tr><th scope="col">Proof</th><th scope="col">Wants a nonce</th></tr></thead><tbody>
<tr><th scope="row">Session (cookie)</th><td>for every POST, PUT, PATCH and DELETE</td></tr>
<tr><th scope="row">Application password</th><td>for the routes below, and for nothing else</td></tr>
<tr><th scope="row">Token (JWT)</th><td>never: tokens are taken by extended routes alone</td></tr>
</tbody></table>
<ul>${named}</ul>
<p>A nonce is valid for 24 hours, for the credential that asked for it, and goes into the header <code>X-Host-Nonce</code>:</p>`;
}

function contents({ slug, tag, rows }: Subject, basePath: string): Html {
  const items = rows.map(
    (row) =>
      html`<li id="${operationIdOf(row)}"><a href="${basePath}/docs/reference/${slug}#${operationIdOf(row)}"><span class="method">${row.method}</span>${row.path}</a> ${row.summary}</li>`,
  );
  return html`<h3><a href="${basePath}/docs/reference/${slug}">${tag}</a></h3><ul>${items}</ul>`;
}

function subjectContent({ tag, rows }: Subject, document: OpenApi): Html {
  const items = rows.map(
    (row) =>
      html`<li><a href="#${operationIdOf(row)}"><span class="method">${row.method}</span>${row.path}</a> ${row.summary}</li>`,
  );
  return html`<h1>${tag}</h1><div class="toc"><ul>${items}</ul></div>${rows.map((row) => articleOf(row, document))}`;
}

function objects({ components }: OpenApi): Html {
  const { schemas } = components as { schemas: Record<string, JsonSchema> };
  const parts = Object.entries(schemas).map(
    ([name, schema]) => html`<section><h2 id="schema-${name}">${name}</h2>${fieldsOf(schema)}</section>`,
  );
  return html`<h1>Objects</h1>${parts}`;
}
