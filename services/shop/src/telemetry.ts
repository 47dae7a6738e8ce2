import type { CommandResult, ImportProgress } from '@order-automation/contracts';
import { countOf, metricsOfTable, type ServiceDeps } from '@order-automation/service';
import table from './metrics.json';
import type { ShopEvent } from './orders/order-change';
import type { Match } from './orders/order-choice';

export type Telemetry = ReturnType<typeof shopTelemetry>;

/** One helper per business event: metric and log line together. */
export function shopTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counters, histograms } = metricsOfTable(metrics, 'shop', table);
  return {
    commandsDone: (results: readonly CommandResult[]) => {
      for (const [status, count] of countOf(results.map(({ status }) => status)))
        counters.commands_total.inc({ status }, count);
      for (const { status, key, message } of results)
        if (status === 'failed') log.warn({ key, message }, 'command failed');
    },
    resolved: (matches: readonly (Match | null)[]) => {
      for (const [by, count] of countOf(matches.map((match) => match?.by ?? 'none')))
        counters.references_total.inc({ by }, count);
    },
    orderChanged: ({ cause, keys: _, ...change }: ShopEvent & { readonly keys?: unknown }) => {
      counters.order_changes_total.inc({ kind: change.kind });
      log.debug({ ...change, process_id: cause.process_id }, 'order changed');
    },
    handedOverAgain: (count: number) => counters.handed_over_again_total.inc(count),
    notHandedOver: (what: string, error: unknown) =>
      log.warn({ err: error, what }, 'could not be handed over, will be tried again'),
    notLooked: (order_id: number | null, error: unknown) =>
      log.info({ order_id, err: error }, 'an order could not be looked at for changes, the next look will find them'),
    unreadable: (order_id: number, reason: string) =>
      log.warn({ order_id, reason }, 'an order cannot be read and is left out of lists and searches'),
    shopAnswered: (method: string, outcome: string, seconds: number) => {
      counters.requests_total.inc({ method, outcome });
      histograms.request_seconds.observe({ method }, seconds);
    },
    /** After the start without more, else after what. */
    shopReached: (outage: { reason?: string; lasted_ms?: number; turned_away?: number }) =>
      log.info(outage, 'WooCommerce answers'),
    /** Once an outage. `waiting` are requests; events that wait for them are counted by evaluation. */
    shopLost: (outage: { reason: string; since: string; waiting: number }) =>
      log.error(outage, 'WooCommerce cannot be used'),
    shopDenied: (reason: string) => log.error({ reason }, 'WooCommerce refuses some requests'),
    /** Null: orders are kept here again. */
    shopChanged: (address: string | null) => log.info({ shop: address }, 'the service works on another shop'),
    webhooksRevived: (webhooks: readonly string[]) => {
      if (webhooks.length > 0)
        log.warn(
          { webhooks },
          'WooCommerce had switched off webhooks to this service after failed deliveries; they are on again, and what happened meanwhile is read',
        );
    },
    webhooksUnknown: (error: unknown) =>
      log.info({ err: error }, 'the webhooks of the shop could not be looked at; changes are read once a minute'),
    markLost: (order_id: number) =>
      log.warn(
        { order_id },
        'WooCommerce removed the mark from a note; after a crash such a note may be written twice',
      ),
    imported: ({ id, lines, imported, refused }: ImportProgress) =>
      log.info({ import: id, lines, imported, refused }, 'import done'),
    seeded: (orders: number, products: number) => log.info({ orders, products }, 'demonstration shop seeded'),
  };
}
