import { type GenericType, type Order, payableStatuses, ServiceError } from '@order-automation/contracts';
import type { Parts } from '../parts';

type Fit = { readonly statuses: readonly string[]; readonly words: string };
const paid: Fit = { statuses: ['processing', 'completed'], words: 'is paid' };

/** The orders that an event of this type acts on, the likeliest status first; undefined where any will do. */
function fitOf(type: GenericType | null, awaiting: readonly string[]): Fit | undefined {
  if (type === null) return undefined;
  if (/^payment_(refunded|reversed)$|^dispute_|^renewal_|^subscription_(renewed|cancelled|suspended)$/.test(type))
    return paid;
  return type.startsWith('payment_')
    ? { statuses: payableStatuses(awaiting), words: 'waits for its payment' }
    : undefined;
}

/**
 * The order that was asked for, else the newest that the event acts on, else the newest, else one that no shop has. `doubt`: why the event of a test may not
 * act on it, as a sentence. 404 `svc_order_not_found`.
 */
export async function orderFor(
  { bus, awaitingPayment }: Pick<Parts, 'bus' | 'awaitingPayment'>,
  { id, type, testId }: { readonly id: number | null; readonly type: GenericType | null; readonly testId: string },
) {
  const transaction = testId.replace('test_', 'test');
  const fit = fitOf(type, awaitingPayment);
  const found =
    id === null
      ? await newestOf(bus, [...(fit?.statuses ?? []), undefined])
      : (await bus.request('shop.order.get.v1', { ids: [id] })).orders[0]?.order;
  if (found) {
    const { total, currency, status } = found;
    const doubt =
      fit === undefined || fit.statuses.includes(status)
        ? null
        : `${id === null ? `No order ${fit.words}; the newest stands in. ` : ''}Order ${found.id} is ${status}: this test acts on an order that ${fit.words} (${fit.statuses.join(', ')}).`;
    return { order: { id: String(found.id), total, currency, transaction }, orderId: found.id, doubt };
  }
  if (id !== null) throw new ServiceError(404, 'svc_order_not_found', `There is no order ${id}.`, { order_id: id });
  const doubt = 'The shop has no orders; the test names one that does not exist.';
  return { order: { id: '1', total: '49.00', currency: 'EUR', transaction }, orderId: null, doubt };
}

/** The newest order in the first of these statuses that has one; undefined is any status. */
async function newestOf(bus: Parts['bus'], statuses: readonly (string | undefined)[]): Promise<Order | undefined> {
  for (const status of statuses) {
    const query = { page: 1, per_page: 1, ...(status !== undefined && { status }) };
    const [order] = (await bus.request('shop.order.list.v1', query)).orders;
    if (order) return order;
  }
  return undefined;
}
