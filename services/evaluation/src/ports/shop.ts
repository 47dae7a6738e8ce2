import type { Bus } from '@order-automation/bus';
import type {
  CustomerFacts,
  OrderContext,
  OrderReference,
  OrderRejection,
  OrderStep,
  StepResult,
} from '@order-automation/contracts';
import { orderIdOf, referenceOf, type Task } from '../task';
import { coalesced } from './coalesce';

export type Found = { readonly context: OrderContext; readonly by: string };

/** The event names an order that it must not move. */
export type Rejected = { readonly rejection: OrderRejection };

/** The shop, for one event at a time; what one moment asks for is one request. */
export interface Shop {
  /** The order that the task is about, as it is now; null when the shop has none. */
  find(task: Task): Promise<Found | Rejected | null>;
  get(orderId: number): Promise<OrderContext | null>;
  customer(context: OrderContext): Promise<CustomerFacts | null>;
  apply(step: OrderStep): Promise<StepResult>;
}

/** Items of one request: its answer must stay small too. */
const maxItems = 64;
const concurrency = 8;
/** Milliseconds for an answer, less than the lease of an event: a shop behind a connector asks another server first. */
const deadline = { timeout: 8_000 };

export function shopPort(bus: Bus): Shop {
  const group = { maxItems, concurrency };
  const resolve = coalesced<OrderReference, Found | Rejected | null>({
    ...group,
    send: async (references) => {
      const {
        matches,
        orders,
        rejections = [],
      } = await bus.request('shop.order.resolve.v1', { references: [...references] }, deadline);
      const contexts = new Map(orders.map((context) => [context.order.id, context]));
      const rejected = new Map(rejections.map(({ index, ...rejection }) => [index, { rejection }]));
      return matches.map((match, index) => {
        const context = match ? contexts.get(match.order_id) : undefined;
        return match && context ? { context, by: match.by } : (rejected.get(index) ?? null);
      });
    },
  });
  const get = coalesced<number, OrderContext | null>({
    ...group,
    send: async (ids) => {
      const { orders } = await bus.request('shop.order.get.v1', { ids: [...new Set(ids)] }, deadline);
      const contexts = new Map(orders.map((context) => [context.order.id, context]));
      return ids.map((id) => contexts.get(id) ?? null);
    },
  });
  const customer = coalesced<OrderContext, CustomerFacts | null>({
    ...group,
    send: async (contexts) => {
      const customers = contexts.map(({ order: { id, customer_id, billing } }) => ({
        order_id: id,
        customer_id,
        email: billing.email,
      }));
      return (await bus.request('shop.customer.facts.v1', { customers }, deadline)).facts;
    },
  });
  const apply = coalesced<OrderStep, StepResult>({
    ...group,
    send: async (steps) => (await bus.request('shop.order.apply.v2', { steps: [...steps] }, deadline)).results,
  });
  return {
    find: async (task) => {
      const id = orderIdOf(task);
      const reference = referenceOf(task);
      if (reference) return resolve(reference);
      const context = id === null ? null : await get(id);
      return context && { context, by: 'order_id' };
    },
    get,
    customer,
    apply,
  };
}
