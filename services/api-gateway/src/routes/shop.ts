import { invalidParameters } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf, type Edge } from './edge';
import { idParameter, jsonObject, page, parseQuery, perPage, present, shortText } from './parameters';
import type { Answer, KnownCall, Route } from './route';

const access = { needs: 'manage_shop' } as const;
const importBytes = 4 * 1024 * 1024;

const listQuery = z.object({ status: shortText.optional(), search: shortText.optional(), page, per_page: perPage });

const importBody = z.object({
  orders: z.array(jsonObject).max(500).default([]),
  products: z.array(jsonObject).max(500).default([]),
});

/** decisions.md section 10: the orders of the host platform. */
export function shopRoutes(edge: Edge): readonly Route[] {
  const one = '/v1/shop/orders/:id';
  return [
    {
      method: 'GET',
      path: '/v1/shop/orders',
      access,
      handle: async (call) => {
        const { page, per_page, ...filters } = parseQuery(listQuery, call.query);
        return { body: await edge.ask('shop.order.list.v1', { page, per_page, ...present(filters) }) };
      },
    },
    {
      method: 'GET',
      path: one,
      access,
      handle: async (call) => ({ body: (await edge.ask('shop.order.view.v1', idParameter.parse(call.params))).order }),
    },
    { method: 'PUT', path: one, access, handle: (call) => saveOrder(edge, call) },
    {
      method: 'POST',
      path: '/v1/shop/import',
      access,
      maxBody: importBytes,
      handle: async (call) => {
        const { orders, products } = importBody.parse(call.body ?? {});
        const imported = await edge.ask('shop.import.v1', { orders, products, cause: causeOf(call, edge) });
        return { body: { success: true, ...imported } };
      },
    },
  ];
}

async function saveOrder(edge: Edge, call: KnownCall): Promise<Answer> {
  const { id } = idParameter.parse(call.params);
  const fields = jsonObject.parse(call.body ?? {});
  if (fields.id !== undefined && fields.id !== id) {
    throw invalidParameters([{ path: 'id', message: `must be ${id}, as in the address` }]);
  }
  const { order, created } = await edge.ask('shop.order.save.v1', { id, fields, cause: causeOf(call, edge) });
  return { status: created ? 201 : 200, body: order };
}
