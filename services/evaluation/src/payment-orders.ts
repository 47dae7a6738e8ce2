import type { UniversalEvent } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';
import { coalesced } from './ports/coalesce';
import type { Shop } from './ports/shop';
import type { Task } from './task';

/** `_id` is the gateway, its connection, and the id of a payment, a charge or a capture. */
export type PaymentOrderDocument = { readonly _id: string; readonly order_id: number };

const group = { maxItems: 64, concurrency: 8 };
const completed: ReadonlySet<UniversalEvent['genericType']> = new Set([
  'payment_completed',
  'renewal_payment_completed',
]);

/**
 * Finds orders by payments that the shop does not keep on them. A refund or a dispute names the payment alone, without the metadata of the charge
 * (docs.stripe.com/api/disputes/object): its order is the one that an earlier event named together with the payment.
 */
export async function openPaymentOrders(store: Store, shop: Pick<Shop, 'find' | 'get'>): Promise<Pick<Shop, 'find'>> {
  const documents = await store.collection<PaymentOrderDocument>('payment_orders');
  const note = coalesced<PaymentOrderDocument, void>({
    ...group,
    send: async (added) => {
      await insertNew(documents, [...new Map(added.map((one) => [one._id, one])).values()]);
      return added.map(() => undefined);
    },
  });
  const orderOf = coalesced<readonly string[], number | undefined>({
    ...group,
    send: async (asked) => {
      const found = await documents.find({ _id: { $in: [...new Set(asked.flat())] } }).toArray();
      const orders = new Map(found.map(({ _id, order_id }) => [_id, order_id]));
      return asked.map((ids) => ids.map((id) => orders.get(id)).find((order) => order !== undefined));
    },
  });
  return {
    find: async (task) => {
      const found = await shop.find(task);
      const ids = paymentsOf(task);
      if (ids.length === 0 || (found && !('context' in found))) return found;
      if (found) {
        const { context, by } = found;
        if (by === 'order_id' && isCompleted(task))
          await Promise.all(ids.map((_id) => note({ _id, order_id: context.order.id })));
        return found;
      }
      const orderId = await orderOf(ids);
      const context = orderId === undefined ? null : await shop.get(orderId);
      return context && { context, by: 'transaction_id' };
    },
  };
}

const isCompleted = ({ subject }: Task): boolean =>
  subject.kind === 'event' &&
  !subject.event.isTest &&
  subject.event.authenticated &&
  completed.has(subject.event.genericType);

/** The payments of an event that names its order by them alone, or of one that completes them. */
function paymentsOf(task: Task): string[] {
  if (task.subject.kind !== 'event') return [];
  const { event, webhook } = task.subject;
  const { orderReference, sourceGateway } = event;
  if (orderReference.order_id !== null && !isCompleted(task)) return [];
  return (orderReference.transactions ?? []).map((id) => `${sourceGateway}|${webhook?.connection ?? ''}|${id}`);
}
