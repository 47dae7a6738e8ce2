import type { ShopSettings } from '@order-automation/shop';
import type { OrderWorld } from '../order-world';
import type { PlannedOrder } from './plan';

/** What the shop of a year has to do with: the product, and intake for its own webhooks. */
export type Product = {
  readonly world: OrderWorld;
  /** How many changes of the order the product has heard of. */
  changesOf(id: number): number;
  /** Resolves with whether the webhook was taken. */
  deliver(headers: Record<string, string[]>, body: string): Promise<boolean>;
};

/** Where the orders of a year live. */
export type YearShop = {
  /** By which the product reaches it. */
  readonly settings: Partial<ShopSettings>;
  readonly env: Readonly<Record<string, string>>;
  open(product: Product): Promise<OpenShop>;
};

export type OpenShop = {
  create(order: PlannedOrder): Promise<void>;
  /** What the shop, one of its plugins or a clerk makes of the order. */
  save(id: number, fields: Readonly<Record<string, unknown>>): Promise<void>;
  /** Tells the product what happened since the last time. Resolves with whether anything did. */
  tell(): Promise<boolean>;
  /** From now on the shop tells what happens in the other way that it has. */
  turn(): Promise<void>;
  /** The last chance for the product to find what it has not seen. */
  last(): Promise<void>;
  /** `moves`: the statuses that the shop gave the order after its first; null where it keeps none. */
  order(id: number): Promise<{ status: string; notes: readonly string[]; moves: readonly string[] | null }>;
  close(): Promise<void>;
};
