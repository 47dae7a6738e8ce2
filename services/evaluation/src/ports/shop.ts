import { type Bus, BusError } from '@order-automation/bus';
import type {
  CustomerFacts,
  OrderContext,
  OrderReference,
  OrderRejection,
  OrderStep,
  StepResult,
} from '@order-automation/contracts';
import type { OutageLog } from '@order-automation/service';
import { stepUnavailable } from '../attempts/failures';
import { inBatches } from '../attempts/in-batches';
import { orderIdOf, referenceOf, type Task } from '../task';

/** `subscription`, `invoice`: those of the payment by which the order was found, where an earlier event named both. `part`: what a partial payment pays. */
export type Found = {
  readonly context: OrderContext;
  readonly by: string;
  readonly subscription?: string;
  readonly invoice?: string;
  readonly part?: string;
};

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

/** Milliseconds for an answer, less than the lease of an event: a shop behind a connector asks another server first. */
const deadline = { timeout: 8_000 };

const tooSlow = `The shop did not answer within ${deadline.timeout / 1_000} seconds.`;
/** Milliseconds without a late answer after which the shop counts as fast enough again. */
const inTimeAfter = 60_000;

/** The bus with a deadline for the shop. One that is too slow is unavailable to all events; the log of the process says so once, and when it is over. */
function withDeadline(bus: Bus, outage: OutageLog): Pick<Bus, 'request'> {
  let [late, lateAt] = [0, 0];
  return {
    request: async (type, input) => {
      const answer = await bus.request(type, input, deadline).catch((error: unknown) => {
        if (!(error instanceof BusError && error.code === 'timeout')) throw error;
        [late, lateAt] = [late + 1, performance.now()];
        const slow = stepUnavailable(tooSlow, 'shop', null);
        outage.failed(slow, late);
        throw slow;
      });
      if (performance.now() - lateAt <= inTimeAfter) return answer;
      late = 0;
      outage.recovered();
      return answer;
    },
  };
}

/** `outage` tells of a shop that is too slow. */
export function shopPort(anyBus: Bus, outage: OutageLog): Shop {
  const bus = withDeadline(anyBus, outage);
  const resolve = inBatches<OrderReference, Found | Rejected | null>(async (references) => {
    const answer = await bus.request('shop.order.resolve.v1', { references: [...references] });
    const contexts = new Map(answer.orders.map((context) => [context.order.id, context]));
    const rejected = new Map(answer.rejections?.map(({ index, ...rejection }) => [index, { rejection }]));
    return answer.matches.map((match, index) => {
      const context = match ? contexts.get(match.order_id) : undefined;
      return match && context
        ? { context, by: match.by, ...(match.part && { part: match.part }) }
        : (rejected.get(index) ?? null);
    });
  });
  const get = inBatches<number, OrderContext | null>(async (ids) => {
    const { orders } = await bus.request('shop.order.get.v1', { ids: [...new Set(ids)] });
    const contexts = new Map(orders.map((context) => [context.order.id, context]));
    return ids.map((id) => contexts.get(id) ?? null);
  });
  const customer = inBatches<OrderContext, CustomerFacts | null>(async (contexts) => {
    const customers = contexts.map(({ order: { id, customer_id, billing } }) => ({
      order_id: id,
      customer_id,
      email: billing.email,
    }));
    return (await bus.request('shop.customer.facts.v1', { customers })).facts;
  });
  const apply = inBatches<OrderStep, StepResult>(
    async (steps) => (await bus.request('shop.order.apply.v2', { steps: [...steps] })).results,
  );
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
