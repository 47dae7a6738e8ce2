import { startPolling } from '@order-automation/service';
import type { Connector, ConnectorDeps } from '../connector';
import { startHandover } from '../orders/handover-relay';
import { orderNotFound } from '../refusals';
import { wooCommerceClient } from './client';
import { customerFacts } from './customer-facts';
import { notHere } from './failures';
import { handoverOf } from './handover';
import { openJournal } from './journal';
import { eraseFromJournals, purgeJournals } from './journal-retention';
import { openOrderLeases } from './leases';
import { listOrders } from './list';
import { missedSearches } from './missed-searches';
import { missingRecords } from './missing-records';
import { openOrderKeys } from './order-keys';
import { noteFrom } from './order-mapping';
import { noticing, orderReader } from './order-reader';
import type { Lacking } from './permissions';
import { previewSteps } from './preview';
import { productFacts } from './products';
import { createRefund, listRefunds } from './refunds';
import { resolveReferences } from './resolve';
import { saveOrder } from './save';
import { searchContent } from './search';
import { openSeen } from './seen';
import type { WooCommerceSettings } from './settings';
import { shopStatuses } from './statuses';
import { openStepJournal } from './step-journal';
import { stepsOf } from './steps';
import { watchOrders } from './watch';
import { keepWebhooksOn } from './webhooks';

/** Milliseconds between two looks at what was modified: webhooks tell of it sooner, and may be lost. */
const lookEvery = 60_000;

/** Milliseconds between two looks for what is old. */
const purgeEvery = 60 * 60_000;
/** Milliseconds for one request; a change of status sends e-mails meanwhile. */
const requestTimeout = 15_000;

/** The orders of a WooCommerce shop, through its REST API v3 (decisions.md section 5). The shop need not be there at the start. */
export async function wooCommerceConnector(
  deps: ConnectorDeps,
  settings: WooCommerceSettings,
  timeout = requestTimeout,
): Promise<Connector> {
  const { store, clock, log, bus, outbox, telemetry } = deps;
  const shop = wooCommerceClient({ settings, clock, log, telemetry, timeout });
  const keys = await openOrderKeys(store);
  const journal = await openJournal(store);
  const leases = await openOrderLeases(store, clock);
  const seen = await openSeen(store, settings.isChosen ? settings.address : undefined);
  const statuses = shopStatuses(shop, clock);
  const missed = missedSearches(clock);
  const factsOf = productFacts(shop, clock);
  const unwatched = orderReader({ shop, keys, factsOf, seen, statuses, missed, telemetry });
  const handover = handoverOf({ bus, clock, journal, outbox, telemetry });
  const watching = { shop, read: unwatched, seen, leases, handover, statuses, telemetry, clock };
  const watch = watchOrders(watching);
  const parts = { ...watching, keys, missed, factsOf, journal, watch, steps: await openStepJournal(store) };
  const steps = stepsOf(parts);
  const read = noticing(unwatched, watch.notice);
  const relay = startHandover(handover, deps);
  let [lookAt, purgeAt, askAt] = [0, 0, 0];
  let lacking: Lacking | null = null;
  const look = async (): Promise<void> => {
    const now = clock.now();
    // A time that is far away was set while a clock ran ahead.
    if (now < lookAt && lookAt <= now + lookEvery) return;
    await watch.catchUp();
    if (now >= askAt || lacking?.isUsable === false || askAt > now + purgeEvery) {
      const found = await shop.lackingPermissions().catch(() => undefined);
      if (found !== undefined) askAt = now + purgeEvery;
      if (found && found.reason !== lacking?.reason) telemetry.shopDenied(found.reason);
      lacking = found === undefined ? lacking : found;
    }
    if (now >= purgeAt || purgeAt > now + purgeEvery) {
      await purgeJournals(parts, now);
      purgeAt = now + purgeEvery;
    }
    lookAt = now + lookEvery;
  };
  const lookAtWebhooks = keepWebhooksOn(shop, settings, telemetry, clock);
  const looking = startPolling('changes in the shop', 1_000, () => look().then(lookAtWebhooks), { clock, log });
  shop.health.problems();

  const view = async (id: number) => {
    const order = await read.byId(id);
    if (!order) throw orderNotFound(id);
    const { items } = await shop.page(`wc/v3/orders/${id}/notes`);
    return { ...order, notes: items.map(noteFrom).sort((a, b) => b.id - a.id) };
  };
  return {
    resolve: (input) => resolveReferences(input, { ...parts, read, sites: settings.sites }),
    get: async ({ ids }) => ({ orders: await read.contexts(await read.byIds(ids)) }),
    customerFacts: (input) => customerFacts(input, shop),
    search: (input) => searchContent(input, shop),
    apply: steps.apply,
    preview: (input) => previewSteps(input, { read, clock }),
    list: (input) => listOrders(input, { ...parts, read }),
    view: async ({ id }) => ({ order: await view(id) }),
    save: async (input) => {
      await saveOrder(input, parts);
      return { order: await view(input.id), created: false };
    },
    listRefunds: (input) => listRefunds(input, { shop, read }),
    createRefund: (input) => createRefund(input, parts),
    missingRecords: (input) => missingRecords(input, shop),
    erasePerson: (input) => eraseFromJournals(input, { ...parts, store }),
    listRecords: elsewhere,
    getRecord: elsewhere,
    putRecord: elsewhere,
    deleteRecord: elsewhere,
    import: elsewhere,
    importProgress: elsewhere,
    changesDone: handover.changesDone,
    problems: async () => [
      ...shop.health.problems(),
      ...(lacking === null || lacking.isUsable ? [] : [lacking.reason]),
    ],
    close: async () => {
      // Requests in flight end; whatever wants another one fails and is taken up after the next start.
      shop.health.close();
      await looking.close();
      await relay.close();
      await steps.idle();
      await watch.idle();
      shop.close();
    },
  };
}

const elsewhere = async (): Promise<never> => {
  throw notHere('Products, customers and the like live in WooCommerce; edit them there.');
};
