import { BusError } from '@order-automation/bus';
import {
  type AuditEntry,
  type DeliveryRecord,
  payableStatuses,
  ServiceError,
  type StoredEvent,
} from '@order-automation/contracts';
import type { DebugDeps } from '../deps';
import type { LogReader } from '../readers/log-reader';

/** All that is known about an order and what was to happen to it. */
export type WhySituation = {
  readonly order_id: number;
  /** Null when the shop has no such order. `isSettled`: it waits for no payment and no work. */
  readonly order: { readonly status: string; readonly date_created: string; readonly isSettled: boolean } | null;
  /** Why the shop could not show the order, as a sentence; null where it could, or has none. */
  readonly unread: string | null;
  /** About the order, oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Events that wait for the order, which the shop does not have. */
  readonly waiting: readonly AuditEntry[];
  /** Events that name the order and are not evaluated. */
  readonly events: readonly StoredEvent[];
  readonly deliveries: readonly DeliveryRecord[];
  /**
   * Webhooks that were refused since the order was created, of senders that have proved themselves or are configured and never have (`unproven`: such a
   * sender of the latest); nobody knows which order they are about.
   */
  readonly refusals: { readonly total: number; readonly latest: AuditEntry | null; readonly unproven: string | null };
};

type Deps = Pick<DebugDeps, 'log' | 'orders' | 'awaiting'>;

const maxEntries = 200;
const maxSenders = 20;
const unevaluated = ['held', 'verifying', 'refused', 'accepted'] as const;

/** 404 `svc_order_not_found` when neither the shop nor the log nor an event knows the order. One that the shop cannot show is explained from the log. */
export async function gatherSituation(order_id: number, { log, orders, awaiting }: Deps): Promise<WhySituation> {
  const name = String(order_id);
  const [{ context, unread }, entries, waiting, deliveries, ...found] = await Promise.all([
    orders.get(order_id).then((context) => ({ context, unread: null }), unreadOrder),
    log.entries({ order_id: [order_id] }, maxEntries),
    log.entries({ event_type: ['event_waiting'], search: name }, maxEntries),
    log.deliveries({ order_id }, maxEntries),
    ...unevaluated.map((state) => log.events({ state }, maxEntries)),
  ]);
  const { status = '', date_created = '', number = name } = context?.order ?? {};
  const names: readonly unknown[] = [name, number];
  const all = found.flat();
  const events = all.filter(({ named_order }) => names.includes(named_order));
  // What has the name of this order in it, `WC-1042`, may be about it.
  const isOther = (named: string) => !named.includes(name) && !named.includes(number);
  const others = all.filter(({ named_order }) => named_order != null && isOther(named_order));
  const awaited = waiting.found.filter(({ details }) => details.waiting_for === `order ${name}`);
  if (!context && unread === null && entries.total === 0 && awaited.length === 0 && events.length === 0)
    throw new ServiceError(404, 'svc_order_not_found', `There is no order ${name}.`, { order_id });
  return {
    order_id,
    order: context && { status, date_created, isSettled: !payableStatuses(awaiting).includes(status) },
    unread,
    entries: [...entries.found].reverse(),
    waiting: [...awaited].reverse(),
    events,
    deliveries,
    refusals: await refusalsSince(context?.order.date_created, new Set(others.map((one) => one.process_id)), log),
  };
}

/** Of a shop that is away, or an order that it cannot show. */
function unreadOrder(error: unknown): { readonly context: null; readonly unread: string } {
  const isFailure = error instanceof ServiceError ? error.status >= 500 : error instanceof BusError;
  if (!isFailure) throw error;
  return { context: null, unread: error instanceof ServiceError ? error.message : 'The shop did not answer.' };
}

/** Without refusals of unauthenticated callers, which say nothing about an order, and of events that name another one. */
async function refusalsSince(
  created: string | undefined,
  ofOthers: ReadonlySet<string>,
  log: LogReader,
): Promise<WhySituation['refusals']> {
  if (created === undefined) return { total: 0, latest: null, unproven: null };
  const refused = await log.entries({ event_type: ['webhook_rejected'], date_from: created }, maxEntries);
  const unproven = await unprovenSenders(refused.found, log);
  const isKnown = (one: AuditEntry): boolean => one.details.known_sender === true && !ofOthers.has(one.process_id);
  const found = refused.found.filter((entry) => isKnown(entry) || unproven.has(wrongSignatureOf(entry)));
  const [latest = null] = found;
  return { total: found.length, latest, unproven: latest && !isKnown(latest) ? wrongSignatureOf(latest) : null };
}

/** The sender of a webhook whose signature no secret made; null of other refusals. */
function wrongSignatureOf({ details }: AuditEntry): string | null {
  if (details.reason !== 'signature_mismatch') return null;
  return (details.connection ?? details.gateway ?? null) as string | null;
}

/** Those that have secrets of which none has ever proved a webhook: a wrong signature is most likely their own. Once one was proved, it is a stranger's. */
async function unprovenSenders(refused: readonly AuditEntry[], log: LogReader): Promise<ReadonlySet<string | null>> {
  const senders = [...new Set(refused.map(wrongSignatureOf))].filter((name) => name !== null).slice(0, maxSenders);
  const secrets = await Promise.all(senders.map((name) => log.secrets(name)));
  return new Set(
    senders.filter((_, at) => {
      const own = secrets[at] ?? [];
      return own.length > 0 && own.every(({ last_used_at }) => last_used_at === null);
    }),
  );
}
