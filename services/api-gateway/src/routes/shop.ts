import { invalidParameters, shopRequests } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf } from './edge';
import { idParameter, jsonObject, page, perPage, present, shortText } from './parameters';
import { reply, route } from './route';

const shop = { tag: 'Shop', access: { needs: 'manage_shop' } } as const;
const one = { ...shop, path: '/v1/shop/orders/{id}', params: idParameter } as const;
const importBytes = 4 * 1024 * 1024;
const { order } = shopRequests['shop.order.view.v1'].output.shape;

/** decisions.md section 10: the orders of the host platform. */
export const shopRoutes = [
  route({
    ...shop,
    method: 'GET',
    path: '/v1/shop/orders',
    summary: 'List orders',
    query: z.object({ status: shortText.optional(), search: shortText.optional(), page, per_page: perPage }),
    answers: { 200: shopRequests['shop.order.list.v1'].output },
    handle: async ({ query: { page, per_page, ...filters }, ask }) => ({
      body: await ask('shop.order.list.v1', { page, per_page, ...present(filters) }),
    }),
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Read an order with its notes',
    answers: { 200: order },
    errors: ['svc_order_not_found'],
    example: { params: { id: 1001 } },
    handle: async ({ params, ask }) => ({ body: (await ask('shop.order.view.v1', params)).order }),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Create or change an order',
    description: 'The fields of the WooCommerce REST v3 order object; fields that are absent stay as they are.',
    body: jsonObject,
    answers: { 200: order, 201: order },
    example: { params: { id: 1001 }, body: { status: 'processing' } },
    handle: async (call, edge) => {
      const { id } = call.params;
      if (call.body.id !== undefined && call.body.id !== id) {
        throw invalidParameters([{ path: 'id', message: `must be ${id}, as in the address` }]);
      }
      const input = { id, fields: call.body, cause: causeOf(call, edge) };
      const { order, created } = await call.ask('shop.order.save.v1', input);
      return created ? reply(201, order) : { body: order };
    },
  }),
  route({
    ...shop,
    method: 'POST',
    path: '/v1/shop/import',
    summary: 'Import orders and products',
    body: z.strictObject({
      orders: z.array(jsonObject).max(500).default([]),
      products: z.array(jsonObject).max(500).default([]),
    }),
    maxBody: importBytes,
    answers: { 200: shopRequests['shop.import.v1'].output.extend({ success: z.boolean() }) },
    example: { body: { orders: [], products: [] } },
    handle: async (call, edge) => {
      const imported = await call.ask('shop.import.v1', { ...call.body, cause: causeOf(call, edge) });
      return { body: { success: true, ...imported } };
    },
  }),
] as const;
