import {
  type AuditEntry,
  type DeliveryRecord,
  payableStatuses,
  ServiceError,
  type StoredEvent,
} from '@order-automation/contracts';
import type { LogReader } from './log-reader';
import type { OrderReader } from './order-reader';

/** All that is known about an order and what was to happen to it. */
export type WhySituation = {
  readonly order_id: number;
  /** Null when the shop has no such order. `isSettled`: it waits for no payment and no work. */
  readonly order: { readonly status: string; readonly date_created: string; readonly isSettled: boolean } | null;
  /** About the order, oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Events that wait for the order, which the shop does not have. */
  readonly waiting: readonly AuditEntry[];
  /** Events that name the order and are not evaluated. */
  readonly events: readonly StoredEvent[];
  /** Its e-mails and outbound calls. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Webhooks of senders that have proved themselves and were refused since the order was created; nobody knows which order they are about. */
  readonly refusals: { readonly total: number; readonly latest: AuditEntry | null };
};

type Deps = {
  readonly log: LogReader;
  readonly orders: OrderReader;
  /** Statuses in which an order awaits its payment. */
  readonly awaiting: readonly string[];
};

const maxEntries = 200;
const maxEvents = 200;
const unevaluated = ['held', 'verifying', 'refused', 'accepted'] as const;

/** 404 `svc_order_not_found` when neither the shop nor the log nor an event knows the order. */
export async function gatherSituation(order_id: number, { log, orders, awaiting }: Deps): Promise<WhySituation> {
  const name = String(order_id);
  const [context, entries, waiting, deliveries, ...found] = await Promise.all([
    orders.get(order_id),
    log.entries({ order_id: [order_id] }, maxEntries),
    log.entries({ event_type: ['event_waiting'], search: name }, maxEntries),
    log.deliveries({ order_id }, maxEvents),
    ...unevaluated.map((state) => log.events({ state }, maxEvents)),
  ]);
  const events = found.flat().filter(({ named_order = null }) => named_order === name);
  const awaited = waiting.found.filter(({ details }) => details.waiting_for === `order ${name}`);
  if (!context && entries.total === 0 && awaited.length === 0 && events.length === 0)
    throw new ServiceError(404, 'svc_order_not_found', `There is no order ${name}.`, { order_id });
  const { status = '', date_created = '' } = context?.order ?? {};
  return {
    order_id,
    order: context && { status, date_created, isSettled: !payableStatuses(awaiting).includes(status) },
    entries: [...entries.found].reverse(),
    waiting: [...awaited].reverse(),
    events,
    deliveries,
    refusals: await refusalsSince(context?.order.date_created, log),
  };
}

/** Without refusals of unauthenticated callers: they say nothing about an order. */
async function refusalsSince(created: string | undefined, log: LogReader): Promise<WhySituation['refusals']> {
  if (created === undefined) return { total: 0, latest: null };
  const refused = await log.entries({ event_type: ['webhook_rejected'], date_from: created }, maxEntries);
  const found = refused.found.filter(({ details }) => details.known_sender === true);
  return { total: found.length, latest: found[0] ?? null };
}
