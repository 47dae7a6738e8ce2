import { invalidParameters, newRefundSchema, shopRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf } from '../../http/edge';
import { idOfKey, idParameter, idText, jsonObject, paging, period, several, shortText } from '../../http/parameters';
import { reply, route, seconds } from '../../http/route';
import { shownOrder, shownOrderSchema, shownOrderWithNotesSchema, shownRefund, shownRefundSchema } from './shown-order';

/** The shop may have to ask another server first. */
const shop = { tag: 'Shop', access: { needs: 'manage_shop' }, timeout: seconds(10) } as const;
const one = { ...shop, params: idParameter, example: { params: { id: 1001 } } } as const;
/** As the others, more than once. */
const refunds = { ...one, timeout: seconds(15) } as const;
const refundLines = newRefundSchema.shape.line_items.unwrap().element;
const order = shownOrderWithNotesSchema;
const { pagination } = shopRequests['shop.order.list.v1'].output.shape;
const dates =
  'Dates are as WooCommerce writes them: `date_created` by the clocks of `SHOP_TIME_ZONE`, `date_created_gmt` in UTC.';

/** decisions.md section 10: the orders of the host platform and their refunds, in the fields of WooCommerce REST v3. */
export const shopRoutes = [
  route('GET /v1/shop/orders', 'List orders', {
    ...shop,
    description: `Newest first. A search finds orders whose id, number, name, company or e-mail begins with the text, and those whose payment has the very text as its id; at most about 1,000. The order with the very id comes first. With \`from\` and \`to\`, those that were created then. With \`ids\` (at most 100, with commas between), these alone, whatever else is asked. ${dates}`,
    query: z.object({
      ids: several(idText, 100).optional(),
      status: shortText.optional(),
      search: shortText.optional(),
      ...period,
      ...paging,
    }),
    answers: { 200: z.object({ orders: z.array(shownOrderSchema), pagination }) },
    handle: async ({ query, ask }, { timeZone }) => {
      const found = await ask('shop.order.list.v1', query);
      return { body: { orders: found.orders.map((one) => shownOrder(one, timeZone)), pagination: found.pagination } };
    },
  }),
  route('GET /v1/shop/order-numbers', 'Find orders by number', {
    ...shop,
    access: { needs: 'view_shop_reports' },
    description:
      'The ids and numbers of orders, and nothing that names a person: those that have the very `number` as their number or id, or those with `ids` (at most 100, with commas between).',
    query: z.object({ ids: several(idText, 100).optional(), number: shortText.min(1).optional() }),
    answers: { 200: z.object({ orders: z.array(shownOrderSchema.pick({ id: true, number: true })) }) },
    example: { query: { number: '1001' } },
    handle: async ({ query: { ids, number }, ask }) => {
      if (!ids && number === undefined)
        throw invalidParameters([{ path: 'number', message: 'is required without ids' }]);
      const asked = ids ? { ids } : { search: number };
      const { orders } = await ask('shop.order.list.v1', { ...asked, page: 1, per_page: 100 });
      const meant = orders.filter((one) => ids || [String(one.id), one.number].includes(String(number)));
      return { body: { orders: meant.map((one) => ({ id: one.id, number: one.number })) } };
    },
  }),
  route('GET /v1/shop/orders/{id}', 'Read an order with its notes', {
    ...one,
    description: dates,
    answers: { 200: order },
    errors: ['svc_order_not_found'],
    handle: async ({ params, ask }, { timeZone }) => ({
      body: shownOrder((await ask('shop.order.view.v1', params)).order, timeZone),
    }),
  }),
  route('PUT /v1/shop/orders/{id}', 'Create or change an order', {
    ...one,
    description: `The fields of the WooCommerce REST v3 order object; fields that are absent stay as they are. ${dates} A date with a zone is taken as it is.`,
    body: jsonObject,
    answers: { 200: order, 201: order },
    errors: ['svc_shop_elsewhere'],
    handle: async (call, edge) => {
      const { id } = call.params;
      if (call.body.id !== undefined && call.body.id !== id) {
        throw invalidParameters([{ path: 'id', message: `must be ${id}, as in the address` }]);
      }
      const saved = await call.ask('shop.order.save.v1', { id, fields: call.body, cause: causeOf(call, edge) });
      const body = shownOrder(saved.order, edge.timeZone);
      return saved.created ? reply(201, body) : { body };
    },
  }),
  route('GET /v1/shop/orders/{id}/refunds', 'List the refunds of an order', {
    ...refunds,
    answers: { 200: z.object({ refunds: z.array(shownRefundSchema) }) },
    errors: ['svc_order_not_found', 'svc_shop_failed'],
    handle: async ({ params, ask }, { timeZone }) => {
      const found = await ask('shop.refund.list.v1', { order_id: params.id });
      return { body: { refunds: found.refunds.map((refund) => shownRefund(refund, timeZone)) } };
    },
  }),
  route('POST /v1/shop/orders/{id}/refunds', 'Refund an order, in part or as a whole', {
    ...refunds,
    body: z.strictObject({
      ...newRefundSchema.shape,
      line_items: z.array(z.strictObject(refundLines.shape)).max(1000).default([]),
    }),
    answers: { 200: shownRefundSchema, 201: shownRefundSchema },
    errors: ['svc_order_not_found', 'svc_refund_conflict', 'svc_shop_failed'],
    handle: async (call, edge) => {
      const given = call.header('idempotency-key');
      const key = given === undefined ? null : idOfKey(given);
      const input = { order_id: call.params.id, refund: call.body, key, cause: causeOf(call, edge) };
      const made = await call.ask('shop.refund.create.v1', input);
      const body = shownRefund(made.refund, edge.timeZone);
      return made.created ? reply(201, body) : { body };
    },
  }),
] as const;
