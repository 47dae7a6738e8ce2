import { type Cause, derivedId, isoTime, type Order } from '@order-automation/contracts';
import { changesOfCreation, newRefunds, type ShopEvent } from '../orders/order-change';
import { namesOf } from '../orders/order-lookup';
import { isDraft, isInTrash } from '../orders/order-status';
import { type AppliedMark, marksOf } from './applied-meta';
import type { SeenDocument } from './seen';

export type OrderState = Pick<
  Order,
  'id' | 'number' | 'status' | 'transaction_id' | 'refunds' | 'meta_data' | 'date_created'
> & { readonly date_modified?: string | null; readonly order_key?: unknown };

export const earlier = (one: string, other: string): string => (Date.parse(one) < Date.parse(other) ? one : other);

const refundIds = ({ refunds = [] }: Pick<Order, 'refunds'>): number[] => refunds.flatMap(({ id }) => id ?? []);

/** A cache in front of the shop shows what was. */
export const isStale = (before: SeenDocument, { date_modified }: OrderState): boolean =>
  Date.parse(date_modified ?? '') < Date.parse(before.modified ?? '');

const secretOf = ({ order_key }: OrderState): string | undefined =>
  typeof order_key === 'string' && order_key !== '' ? derivedId(order_key) : undefined;

/** Whether the id is that of a new order now: a shop whose database was put back gives the ids of the orders that it lost once more. */
function isAnother({ secret }: SeenDocument, order: OrderState): boolean {
  const now = secretOf(order);
  return secret !== undefined && now !== undefined && now !== secret;
}

/** What is known of it from now on: a clock of the shop that runs ahead must not make every change until then look old. `now` in milliseconds. */
export function seenAs(order: OrderState, before: SeenDocument | null, now: number): SeenDocument {
  const { id, status, date_modified } = order;
  const steps = before?.steps === undefined ? {} : { steps: before.steps };
  const secret = secretOf(order) ?? before?.secret;
  const trashed_from = before && isInTrash(before) ? before.trashed_from : (before?.status ?? null);
  return {
    _id: id,
    rev: (before?.rev ?? 0) + 1,
    status,
    ...(isInTrash(order) && trashed_from !== undefined ? { trashed_from } : {}),
    ...(secret === undefined ? {} : { secret }),
    refunds: refundIds(order),
    marks: marksOf(order).map(({ key }) => key),
    names: namesOf(order),
    ...(date_modified ? { modified: earlier(date_modified, isoTime(now)) } : {}),
    ...steps,
  };
}

/** Whether the order, as it was read, may have changed elsewhere: it can also have been read before it was last seen. */
export function differs(before: SeenDocument | null, order: OrderState): boolean {
  if (!before) return !isDraft(order.status);
  if (isStale(before, order)) return false;
  if (isAnother(before, order)) return !isDraft(order.status);
  const hasRefund = refundIds(order).some((id) => !before.refunds.includes(id));
  return before.status !== order.status || hasRefund || newNames(before, order).length > 0;
}

/** The ids by which an event may name the order that it did not have before. */
const newNames = (before: SeenDocument | null, order: OrderState): string[] =>
  namesOf(order).filter((name) => before?.names.includes(name) !== true);

/** Whether the order is older than the connection, so that nothing is known of what happened to it. */
export const isOld = ({ date_created }: OrderState, since: string): boolean =>
  Date.parse(date_created) < Math.floor(Date.parse(since) / 1000) * 1000;

/**
 * What has happened to the order since it was last seen, done by others. What our own commands changed is on the order (applied-meta.ts) and
 * published by them, the creation of a draft that they have paid included. The ids follow from the state before and from `since`, so that a repeat finds the
 * same, and the order of another shop with the same id another.
 */
export function externalChangesOf(
  seen: SeenDocument | null,
  order: Order,
  { since, at, cause }: { readonly since: string; readonly at: string; readonly cause: Cause },
): ShopEvent[] {
  const before = seen && isAnother(seen, order) ? null : seen;
  if (isDraft(order.status) && !before) return [];
  if (!before && isOld(order, since)) return [];
  const refunds = newRefunds(before?.refunds, order, { at, cause });
  const ours = ourMoves(before, order, since);
  const isRestored = before !== null && isInTrash(before) && !isInTrash(order);
  const isFound = isRestored && before.trashed_from === null && !isOld(order, since);
  const wasDraft = before === null || isFound || (isDraft(before.status) && !isDraft(order.status));
  if (wasDraft && !ours.some(({ from }) => isDraft(from ?? ''))) {
    const how = before === seen ? [] : [secretOf(order) ?? ''];
    const change_id = `chg_${derivedId(isFound ? 'found' : 'created', order.id, since, ...how)}`;
    return [...changesOfCreation(order, { change_id, at, cause }), ...refunds];
  }
  // An order has the status of before when it leaves the trash: another one is a change of that.
  const left = isRestored && before.trashed_from !== order.status ? before.trashed_from : null;
  // The status from which somebody else moved the order: what our own command made of it, or what it was when it was seen.
  const from = ours.at(-1)?.to ?? left ?? before?.status ?? order.status;
  const keys = newNames(before, order);
  if (from === order.status && keys.length === 0) return refunds;
  const change_id = `chg_${derivedId('seen', order.id, before?.rev ?? 0, from, order.status, since)}`;
  const change = { change_id, order_id: order.id, from, to: order.status, at, cause, keys };
  return [...refunds, { ...change, kind: from === order.status ? 'identified' : 'status_changed' }];
}

/** What our own commands made of its status since it was seen. */
const ourMoves = (before: SeenDocument | null, order: Order, since: string): AppliedMark[] =>
  marksOf(order).filter(
    ({ key, what, by = since }) => what === 'status' && by === since && before?.marks.includes(key) !== true,
  );
