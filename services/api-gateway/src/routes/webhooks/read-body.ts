import {
  type OrderReference,
  orderNames,
  prefixOf,
  type RequestOutput,
  universalEventSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { route } from '../../http/route';

const { eventType, genericType, transactionID, amount, currency, amountProblem, status, reason } =
  universalEventSchema.shape;

const readEventSchema = z.object({
  event_type: eventType,
  generic_type: genericType,
  transaction_id: transactionID,
  amount,
  currency,
  amount_problem: amountProblem,
  status,
  reason,
  /** The order that it names, as the shop has it now. */
  order: z
    .object({ id: z.int(), number: z.string(), status: z.string(), total: z.string(), currency: z.string() })
    .nullable(),
  /** Why there is none. */
  order_problem: z.string().nullable(),
});

export const readBodyRoutes = [
  route('POST /v1/webhooks/gateways/{gateway}/read', 'Try how a gateway or a connection reads a body', {
    tag: 'Webhooks',
    access: { needs: 'manage_shop' },
    params: z.object({ gateway: z.string().max(100) }),
    body: z.strictObject({ body: z.string().min(1).max(262_144), type: z.string().max(200).optional() }),
    answers: { 200: z.object({ refused: z.string().nullable(), events: z.array(readEventSchema) }) },
    errors: ['svc_gateway_not_found', 'svc_licence_required'],
    handle: async ({ params, body, ask }, { edition }) => {
      const { events, refused } = await ask('intake.body.read.v1', {
        ...params,
        ...body,
        connections: edition === 'extended',
      });
      const references = events.map(({ orderReference }) => orderReference);
      const none = { matches: [], orders: [] };
      const found = references.length === 0 ? none : await ask('shop.order.resolve.v1', { references });
      const read = events.map((event, index) => ({
        event_type: event.eventType,
        generic_type: event.genericType,
        transaction_id: event.transactionID,
        amount: event.amount,
        currency: event.currency,
        amount_problem: event.amountProblem,
        status: event.status,
        reason: event.reason,
        ...orderOf(event.orderReference, index, found),
      }));
      return { body: { refused, events: read } };
    },
  }),
] as const;

const noOrder = (order_problem: string) => ({ order: null, order_problem });

function orderOf(reference: OrderReference, at: number, found: RequestOutput<'shop.order.resolve.v1'>) {
  const rejection = found.rejections?.find(({ index }) => index === at);
  if (rejection) return noOrder(`It names “${rejection.reference}”. ${rejection.because}`);
  const match = found.matches[at];
  const order = found.orders.map((context) => context.order).find(({ id }) => id === match?.order_id);
  if (order) {
    const { id, number, status, total, currency } = order;
    return { order: { id, number, status, total, currency }, order_problem: null };
  }
  const [first] = orderNames(reference);
  const prefix = prefixOf(first?.text ?? '');
  const hint = prefix ? ` If “${prefix}” is a prefix, enter it under “Settings”.` : '';
  if (first) return noOrder(`The shop has no order “${first.text}”, which it names in ${first.from}.${hint}`);
  const ids = [...reference.gateway_ids, reference.transaction_id ?? ''].some((id) => id !== '');
  return noOrder(ids ? 'It names no order, and no order has its transaction.' : 'It names no order.');
}
