import type { CommandResult, Order, OrderChange, Refund } from '@order-automation/contracts';
import type { ChangeSource, ShopEvent } from '../orders/order-change';
import type { OrderNoteDocument } from './order-notes';

/** A refund that was made here, and the request that made it: one key, one refund. `digest` tells whether a repeat asks for the same. */
export type RefundRecord = {
  readonly key: string;
  readonly by: string;
  readonly digest: string;
  readonly refund: Refund;
};

/** A step that was carried out, with its results. `by` is the request that did it: any other with the same key learns so. */
export type AppliedStep = {
  readonly key: string;
  readonly by: string;
  readonly process_id: string;
  readonly results: readonly CommandResult[];
  readonly changes: readonly OrderChange[];
};

/** `variation_id` is absent where the line has none. */
export type StockItem = { readonly product_id: number; readonly variation_id?: number; readonly quantity: number };

/**
 * Stock is reduced once an order, and put back once when the order is given up: the reduction is pending in the state `owed`, the return in `owed_back`.
 * `moves` counts what is over; absent while that is nothing.
 */
export type Stock = {
  readonly state: 'untouched' | 'owed' | 'done' | 'owed_back';
  readonly items: readonly StockItem[];
  readonly moves?: number;
};

export type OrderDocument = {
  readonly _id: number;
  /** Grows with every write, and every write is guarded by the one it read. */
  readonly rev: number;
  /** Grows with every change of the order or its notes: what others have decided on. Absent while it is 0. */
  readonly revision?: number;
  readonly order: Order;
  /** The latest notes of steps; the earlier ones are in `order_notes`. Absent while there is none. */
  readonly notes?: readonly OrderNoteDocument[];
  /** The latest steps; the earlier ones are in `applied_commands` (applied-commands.ts). */
  readonly applied: readonly AppliedStep[];
  readonly archived: number;
  /** Absent while there is none. */
  readonly refunds?: readonly RefundRecord[];
  /** Changes and refunds that evaluation has not reported done, with the way they came. */
  readonly outbox: readonly (ShopEvent & { readonly source: ChangeSource })[];
  readonly stock: Stock;
  /** The status into which a step took the order while it was a draft: the checkout that places it saves it as `pending` afterwards. */
  readonly paid_as_draft?: string;
  readonly attempt: number;
  /** Milliseconds since the epoch at which it is handed over again; absent when nothing is left. */
  readonly due?: number | undefined;
  /** What the order can be found by, as it was stored. Absent on documents of an earlier version (`fillKeys`). */
  readonly keys?: readonly string[];
};

export const revisionOf = ({ revision = 0 }: Pick<OrderDocument, 'revision'>): string => String(revision);
