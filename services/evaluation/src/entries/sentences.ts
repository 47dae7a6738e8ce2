import type { OrderChange, OrderReference } from '@order-automation/contracts';

export const changeName = ({ kind, to }: OrderChange): string =>
  kind === 'created' ? 'order_created' : `order_status_${to}`;

/** What an event waits for: "order 1010", or the payment it names. An id that the plugin has signed decides, whatever else names an order. */
export function awaitedName({ order_id, transaction_id, gateway_ids, references = [] }: OrderReference): string {
  const signed = references.find(({ from }) => from.endsWith('.signature'))?.value.split(':')[0];
  if (signed !== undefined) return `order ${signed}`;
  if (order_id !== null) return `order ${order_id}`;
  if (transaction_id !== null) return `the order of payment ${transaction_id}`;
  return gateway_ids[0] === undefined ? 'its order' : `the order of ${gateway_ids[0]}`;
}
