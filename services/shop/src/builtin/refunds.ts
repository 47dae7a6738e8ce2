import {
  type Answer,
  type Cause,
  invalidParameters,
  type NewRefund,
  newId,
  type Order,
  parseDecimal,
  type Refund,
} from '@order-automation/contracts';
import { changesOfEdit, refundChangeId, statusChangeId } from '../orders/order-change';
import { withStatus } from '../orders/order-status';
import { linesOf, refundAmount, refundDigest, withRefund } from '../orders/refund-amount';
import { orderNotFound, otherRefund } from '../refusals';
import type { OrderDocument, RefundRecord } from './order-document';
import { withChanges, withDue } from './order-status';
import type { BuiltinParts } from './parts';

type Wanted = {
  readonly refund: NewRefund;
  readonly key: string;
  readonly by: string;
  readonly id: number;
  readonly cause: Cause;
  readonly at: string;
};

/** Refunds the order once for the key; what follows from it is stored with it (WooCommerce: a full refund sets the status `refunded`). */
export const createRefund: Answer<'shop.refund.create.v1', BuiltinParts> = async (
  { order_id, refund, key, cause },
  { orders, counters, handover, clock },
) => {
  const now = clock.now();
  const by = newId('req', now);
  const wanted: Wanted = {
    refund,
    key: key ?? by,
    by,
    id: await counters.refundId(),
    cause,
    at: new Date(now).toISOString(),
  };
  const document = (await orders.edit([order_id], (one) => refunded(one, wanted))).get(order_id);
  if (!document) throw orderNotFound(order_id);
  const record = document.refunds?.find((one) => one.key === wanted.key);
  if (!record) throw new Error(`order ${order_id} has no refund under its key`);
  if (record.digest !== refundDigest(refund)) throw otherRefund();
  const changeId = refundChangeId(order_id, record.refund.id);
  const ids = new Set([changeId, statusChangeId(changeId)]);
  if (record.by === by) await handover.changes([document], ids);
  return { refund: record.refund, created: record.by === by };
};

/** Of the order as it is: refunds that came with an imported order have no date. Newest first. */
export const listRefunds: Answer<'shop.refund.list.v1', BuiltinParts> = async ({ order_id }, { orders }) => {
  const [document] = await orders.byIds([order_id]);
  if (!document) throw orderNotFound(order_id);
  const known = new Map(document.refunds?.map(({ refund }) => [refund.id, refund]));
  const { refunds = [] } = document.order;
  return { refunds: refunds.flatMap((one) => known.get(one.id ?? 0) ?? imported(one)).reverse() };
};

/** Pure; sees its own effect. Throws what is wrong with the refund. */
function refunded(document: OrderDocument, wanted: Wanted): OrderDocument {
  const { key, by, cause, at } = wanted;
  const { order, refunds = [] } = document;
  if (refunds.some((one) => one.key === key)) return document;
  const amount = refundAmount(order, wanted.refund);
  if (!amount.ok) throw invalidParameters(amount.violations);
  const refund = refundRecord(order, wanted, amount.amount);
  const record: RefundRecord = { key, by, digest: refundDigest(wanted.refund), refund };
  const changed = { ...withRefund(order, refund), date_modified: at };
  const after = amount.isFull && order.status !== 'refunded' ? withStatus(changed, 'refunded', at) : changed;
  const change_id = statusChangeId(refundChangeId(order.id, refund.id));
  const changes = changesOfEdit(order, after, { change_id, at, cause });
  return withDue(
    withChanges({ ...document, order: after, refunds: [...refunds, record] }, changes, 'manual'),
    Date.parse(at),
  );
}

function refundRecord(order: Order, { id, refund, at }: Wanted, amount: string): Refund {
  const lines = new Map(linesOf(order).map((line) => [line.id, line]));
  const line_items = refund.line_items.map((line) => {
    const { name, method_title, product_id } = lines.get(line.id) ?? {};
    return {
      id: line.id,
      name: name ?? method_title ?? '',
      ...(product_id === undefined ? {} : { product_id }),
      quantity: line.quantity === 0 ? 0 : -line.quantity,
      total: `-${line.refund_total}`,
      taxes: line.refund_tax.map((tax) => ({ id: tax.id, total: `-${tax.refund_total}` })),
      meta_data: [{ key: '_refunded_item_id', value: String(line.id) }],
    };
  });
  const used = (order.refunds ?? []).map((one) => one.id ?? 0);
  const own = Math.max(id, ...used.map((one) => one + 1));
  return { id: own, date_created: at, amount, reason: refund.reason, refunded_by: 0, line_items };
}

function imported({ id, reason, total }: NonNullable<Order['refunds']>[number]): Refund[] {
  if (id === undefined || id < 1 || !parseDecimal(total)) return [];
  const amount = total.replace(/^-/, '');
  return [{ id, date_created: null, amount, reason: reason ?? '', refunded_by: 0, line_items: [] }];
}
