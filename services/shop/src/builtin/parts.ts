import type { ShopConfig } from '../config';
import type { ConnectorDeps } from '../connector';
import { sitesOf } from '../orders/shop-address';
import { openAppliedCommands } from './applied-commands';
import { openCounters } from './counters';
import { handover as makeHandover } from './handover';
import { openImports } from './imports';
import { openOrderNotes } from './order-notes';
import { openOrders } from './orders';
import { productFactsCache } from './product-facts';
import { openProducts } from './products';
import { openRecords } from './records';
import { openSiteRecords } from './site-records';
import { openStockLedger } from './stock-ledger';
import { stockReducer } from './stock-reducer';

export type BuiltinConfig = Pick<ShopConfig, 'demoShop' | 'timeZone'> & Partial<Pick<ShopConfig, 'shopUrl'>>;

/** What the shop that is kept here is made of: each function below it takes what it needs of this. */
export type BuiltinParts = Awaited<ReturnType<typeof openParts>>;

export async function openParts(
  { bus, store, clock, outbox, telemetry }: ConnectorDeps,
  { timeZone, shopUrl }: BuiltinConfig,
) {
  const counters = await openCounters(store);
  const orders = await openOrders(store);
  const appliedCommands = await openAppliedCommands(store);
  const notes = await openOrderNotes(store);
  const ledger = await openStockLedger(store);
  const products = await openProducts(store, ledger);
  const records = await openRecords(store);
  const site = await openSiteRecords(store, clock);
  const imports = await openImports(store);
  const facts = productFactsCache(products, records, counters.productsRevision, clock);
  const stock = stockReducer(ledger, products);
  const handover = makeHandover({ bus, clock, orders, outbox, stockReducer: stock, telemetry });
  return {
    orders,
    appliedCommands,
    notes,
    products,
    records,
    site,
    imports,
    outbox,
    counters,
    facts,
    handover,
    telemetry,
    clock,
    timeZone,
    sites: sitesOf(shopUrl),
  };
}
