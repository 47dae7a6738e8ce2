import { invalidParameters, newId, type RequestInput } from '@order-automation/contracts';
import { changesOfEdit } from '../orders/order-change';
import type { WooCommerceDeps } from './deps';
import { notHere, throwViolation } from './failures';
import { orderFrom, statusOf } from './order-mapping';

/** What may be changed from here; all else of an order is edited in WooCommerce, which computes totals and taxes from it. */
const writable = new Set(['status', 'customer_note', 'transaction_id', 'billing', 'shipping', 'meta_data']);
/** What a client may send back as it was shown. */
const ignored = new Set(['id', 'notes', '_links']);

/** Changes an order of the shop for a person. Orders are made in WooCommerce alone. */
export async function saveOrder(
  { id, fields, cause }: RequestInput<'shop.order.save.v1'>,
  { shop, read, leases, handover, watch, statuses, clock }: WooCommerceDeps,
): Promise<void> {
  const given = Object.keys(fields).filter((name) => !ignored.has(name));
  const others = given.filter((name) => !writable.has(name));
  if (others.length > 0)
    throw invalidParameters(others.map((path) => ({ path, message: 'is changed in WooCommerce itself' })));
  const wanted = fields.status === undefined ? undefined : String(fields.status);
  const status = wanted === undefined ? {} : { status: await statuses.spelled(statusOf(wanted) ?? wanted) };
  const body = { ...Object.fromEntries(given.map((name) => [name, fields[name]])), ...status };
  await leases.holding(id, async ({ renew }) => {
    const before = await read.byId(id);
    if (!before) throw notHere(`WooCommerce has no order ${id}; orders are made in WooCommerce itself.`);
    await watch.publishExternalChanges(before);
    await renew();
    const after = orderFrom(await shop.write('PUT', `wc/v3/orders/${id}`, body).catch(throwViolation));
    // Events that wait for an id on it are looked at as soon as that is published.
    await read.remember([after]);
    await watch.publishExternalChanges(after, { cause, source: 'manual' });
    const at = new Date(clock.now()).toISOString();
    const change = { change_id: newId('chg', clock.now()), at, cause };
    // The status is published above; ids that the order did not have are for events that wait for them.
    for (const one of changesOfEdit({ ...before, status: after.status, refunds: after.refunds }, after, change))
      await handover.add({ _id: one.change_id, order: after, result: null, change: one, source: 'manual' });
  });
}
