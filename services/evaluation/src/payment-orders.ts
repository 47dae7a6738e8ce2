import { batcher } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import { followsPayment } from './occurrence';
import type { Shop } from './ports/shop';
import type { Task } from './task';

/** `_id` is the gateway, its connection, and the id of a payment, a charge or a capture. */
export type PaymentOrderDocument = { readonly _id: string; readonly order_id: number };

const group = { maxItems: 64, concurrency: 8 };
const completed = /^(?:renewal_)?payment_completed$/;

/**
 * Finds orders by payments that the shop does not keep on them. A refund or a dispute names the payment alone, without the metadata of the charge
 * (docs.stripe.com/api/disputes/object): its order is the one that an earlier event named together with the payment. What `keeps` nothing is for dry runs.
 */
export async function openPaymentOrders(
  store: Store,
  shop: Pick<Shop, 'find' | 'get'>,
): Promise<(keeps: boolean) => Shop['find']> {
  const documents = await store.collection<PaymentOrderDocument>('payment_orders');
  const { add: remember } = batcher<PaymentOrderDocument, void>({
    ...group,
    run: async (added) => void (await insertNew(documents, added)),
  });
  const { add: orderOf } = batcher<string, number | undefined>({
    ...group,
    run: async (ids) => {
      const found = await documents.find({ _id: { $in: [...new Set(ids)] } }).toArray();
      return ids.map((id) => found.find(({ _id }) => _id === id)?.order_id);
    },
  });
  return (keeps) => async (task) => {
    const found = await shop.find(task);
    const { payments, idOf, isPaid, isNamed } = paymentsOf(task);
    if (found && 'context' in found && found.by === 'order_id' && isPaid && keeps) {
      const { id: order_id, transaction_id } = found.context.order;
      const others = payments.filter((payment) => payment !== transaction_id);
      await Promise.all(others.map((payment) => remember({ _id: idOf(payment), order_id })));
    }
    if (found || isNamed) return found;
    const orderId = (await Promise.all(payments.map((payment) => orderOf(idOf(payment))))).find(
      (id) => id !== undefined,
    );
    const context = orderId === undefined ? null : await shop.get(orderId);
    return context && { context, by: 'transaction_id' };
  };
}

function paymentsOf({ subject }: Task) {
  if (subject.kind !== 'event') return { payments: [], idOf: String, isPaid: false, isNamed: true };
  const { event, webhook } = subject;
  const { orderReference, sourceGateway, genericType, isTest, authenticated } = event;
  return {
    payments: orderReference.transactions ?? [],
    idOf: (payment: string) => `${sourceGateway}|${webhook?.connection ?? ''}|${payment}`,
    isPaid: completed.test(genericType ?? '') && authenticated && !isTest,
    // What a refund or a dispute names beside its payment is often the sender's own order, or its own reference.
    isNamed: orderReference.order_id !== null && !followsPayment.has(genericType),
  };
}
