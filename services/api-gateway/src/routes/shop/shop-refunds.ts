import { newRefundSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { causeOf } from '../../http/edge';
import { idOfKey } from '../../http/idempotency-key';
import { idParameter } from '../../http/parameters';
import { reply, route, seconds } from '../../http/route';
import { shownRefund, shownRefundSchema } from './shown-order';

/** The shop may have to ask another server first, more than once. */
const refunds = {
  tag: 'Shop',
  access: { needs: 'manage_shop' },
  timeout: seconds(15),
  params: idParameter,
} as const;
const lines = newRefundSchema.shape.line_items.unwrap().element;

/** Refunds of an order, in the fields of WooCommerce REST v3. */
export const shopRefundRoutes = [
  route('GET /v1/shop/orders/{id}/refunds', 'List the refunds of an order', {
    ...refunds,
    description: 'Newest first. A refund that was imported with its order has no date.',
    answers: { 200: z.object({ refunds: z.array(shownRefundSchema) }) },
    errors: ['svc_order_not_found', 'svc_shop_failed'],
    example: { params: { id: 1001 } },
    handle: async ({ params, ask }, { timeZone }) => {
      const found = await ask('shop.refund.list.v1', { order_id: params.id });
      return { body: { refunds: found.refunds.map((refund) => shownRefund(refund, timeZone)) } };
    },
  }),
  route('POST /v1/shop/orders/{id}/refunds', 'Refund an order, in part or as a whole', {
    ...refunds,
    description:
      'Records the refund; no payment gateway is asked to pay anything back, and no stock is put back. Without `amount` it is the sum of the lines with their taxes. All refunds together are never more than the total of the order; when nothing is left, the order enters the status `refunded`. Send an `Idempotency-Key`: a repeat with the same key and body answers the refund of the first time with 200. Without one, each request is a refund.',
    body: z.strictObject({
      ...newRefundSchema.shape,
      line_items: z.array(z.strictObject(lines.shape)).max(1000).default([]),
    }),
    answers: { 200: shownRefundSchema, 201: shownRefundSchema },
    errors: ['svc_order_not_found', 'svc_refund_conflict', 'svc_shop_failed'],
    example: { params: { id: 1001 }, body: { amount: '0.10', reason: 'The box was dented' } },
    handle: async (call, edge) => {
      const { amount, ...rest } = call.body;
      const refund = { ...rest, ...(amount === undefined ? {} : { amount }) };
      const key = call.header('idempotency-key');
      const input = {
        order_id: call.params.id,
        refund,
        key: key === undefined ? null : idOfKey(key),
        cause: causeOf(call, edge),
      };
      const made = await call.ask('shop.refund.create.v1', input);
      const body = shownRefund(made.refund, edge.timeZone);
      return made.created ? reply(201, body) : { body };
    },
  }),
] as const;
