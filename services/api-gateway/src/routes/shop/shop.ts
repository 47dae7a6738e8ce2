import { invalidParameters, shopRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf } from '../../http/edge';
import { idParameter, jsonObject, page, perPage, present, shortText } from '../../http/parameters';
import { reply, route, seconds } from '../../http/route';
import { shownOrder, shownOrderSchema, shownOrderWithNotesSchema } from './shown-order';

/** The shop may have to ask another server first. */
const shop = { tag: 'Shop', access: { needs: 'manage_shop' }, timeout: seconds(10) } as const;
const one = { ...shop, params: idParameter } as const;
const order = shownOrderWithNotesSchema;
const { pagination } = shopRequests['shop.order.list.v1'].output.shape;
const dates =
  'Dates are as WooCommerce writes them: `date_created` by the clocks of `SHOP_TIME_ZONE`, `date_created_gmt` in UTC.';

/** decisions.md section 10: the orders of the host platform. */
export const shopRoutes = [
  route('GET /v1/shop/orders', 'List orders', {
    ...shop,
    description: `Newest first. A search finds orders whose id, number, name, company or e-mail begins with the text, and those whose payment has the very text as its id; at most about 1,000. The order with the very id comes first. ${dates}`,
    query: z.object({ status: shortText.optional(), search: shortText.optional(), page, per_page: perPage }),
    answers: { 200: z.object({ orders: z.array(shownOrderSchema), pagination }) },
    handle: async ({ query: { page, per_page, ...filters }, ask }, { timeZone }) => {
      const found = await ask('shop.order.list.v1', { page, per_page, ...present(filters) });
      const orders = found.orders.map((one) => shownOrder(one, timeZone));
      return { body: { orders, pagination: found.pagination } };
    },
  }),
  route('GET /v1/shop/orders/{id}', 'Read an order with its notes', {
    ...one,
    description: dates,
    answers: { 200: order },
    errors: ['svc_order_not_found'],
    example: { params: { id: 1001 } },
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
    example: { params: { id: 1001 }, body: { status: 'processing' } },
    handle: async (call, edge) => {
      const { id } = call.params;
      if (call.body.id !== undefined && call.body.id !== id) {
        throw invalidParameters([{ path: 'id', message: `must be ${id}, as in the address` }]);
      }
      const input = { id, fields: call.body, cause: causeOf(call, edge) };
      const saved = await call.ask('shop.order.save.v1', input);
      const body = shownOrder(saved.order, edge.timeZone);
      return saved.created ? reply(201, body) : { body };
    },
  }),
] as const;
