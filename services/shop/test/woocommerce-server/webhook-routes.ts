import { dated } from './dates';
import { newestFirst, paged } from './lists';
import { type Call, ok, problem, type Reply } from './replies';
import type { ShopData } from './shop-data';

/** What WordPress does when each happens. */
const hooks: Readonly<Record<string, readonly string[]>> = {
  'order.created': ['woocommerce_new_order'],
  'order.updated': ['woocommerce_update_order', 'woocommerce_order_refunded'],
  'order.deleted': ['wp_trash_post', 'woocommerce_trash_order'],
  'order.restored': ['untrashed_post', 'woocommerce_untrash_order'],
};

/** Webhooks: made, shown, changed and taken away; undefined when the call is about something else. */
export function webhookAnswer({ method, path, query, body }: Call, data: ShopData): Reply | undefined {
  if (path === 'wc/v3/webhooks') return method === 'POST' ? made(body, data) : shown(query, data);
  const [, id] = /^wc\/v3\/webhooks\/(\d+)$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const at = data.webhooks.findIndex((one) => one.id === Number(id));
  const webhook = data.webhooks[at];
  if (!webhook) return problem(method === 'GET' ? 404 : 400, 'woocommerce_rest_shop_webhook_invalid_id', 'Invalid ID.');
  if (method === 'PUT') Object.assign(webhook, body, dated('date_modified', data.now(), data.site));
  if (method === 'PUT' && body.delivery_url !== undefined) data.due.push({ ping: webhook.id });
  if (method === 'DELETE' && query.get('force') !== 'true')
    return problem(501, 'woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.');
  if (method === 'DELETE') data.webhooks.splice(at, 1);
  return ok(withoutSecret(webhook));
}

const shown = (query: URLSearchParams, { webhooks }: ShopData): Reply =>
  paged([...webhooks].sort(newestFirst).map(withoutSecret), query);

function made({ name = '', topic, status = 'active', secret, delivery_url }: Call['body'], data: ShopData): Reply {
  const [resource, event] = String(topic).split('.');
  if (!hooks[String(topic)])
    return problem(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'Webhook topic is invalid.');
  const { date_created, date_created_gmt } = dated('date_created', data.now(), data.site);
  const own = { id: data.nextId(), name, status, topic, resource, event, hooks: hooks[String(topic)], delivery_url };
  const webhook = {
    ...own,
    date_created,
    date_created_gmt,
    date_modified: date_created,
    date_modified_gmt: date_created_gmt,
  };
  data.webhooks.push({ ...webhook, secret });
  data.due.push({ ping: webhook.id });
  // Its ping is what modifies it.
  return ok({ ...webhook, date_modified: null, date_modified_gmt: null }, 201);
}

function withoutSecret({ secret: _, failures: _failures, ...webhook }: Call['body']): Call['body'] {
  return webhook;
}
