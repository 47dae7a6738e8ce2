import { html } from './html';
import { type Place, page } from './layout';
import { guideList } from './reference';

/** What somebody sees who opens the address of the service in a browser. */
export function startPage(place: Place): string {
  const { basePath } = place;
  const content = html`<h1>Order automation</h1>
<p>This service moves the orders of a shop by rules: a payment gateway sends a webhook, the rules that it sets off are checked against the order,
and what they say is done once. A log explains every step.</p>
<ul>
<li><a href="${basePath}/docs">Interface</a>: every route, with a command to try it</li>
<li><a href="${basePath}/v1/webhooks/health">Health</a>: whether webhooks can be taken now</li>
<li><a href="${basePath}/v1/openapi.json">OpenAPI document</a>, for programs</li>
</ul>
${guideList(place)}
<h2>Addresses</h2>
<p>The interface is at <code>${basePath}/v1</code>, the extended edition at <code>${basePath}/pro/v1</code>. Gateways send their webhooks to
<code>${basePath}/v1/webhooks/</code> and the name of the gateway.</p>`;
  return page(place, 'Order automation', content);
}
