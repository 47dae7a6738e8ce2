import { ServiceError } from '@order-automation/contracts';
import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import type { Connector } from '../connector';
import { seedDemoShop } from '../demo/seed';
import { shopTelemetry } from '../telemetry';
import { openAppliedCommands } from './applied-commands';
import { applyCommands } from './apply';
import { openCounters } from './counters';
import { customerFacts } from './customer-facts';
import { openCustomers } from './customers';
import { type Handover, handover as makeHandover } from './handover';
import { importAll } from './import';
import { listOrders } from './list';
import { openOrderKeys } from './order-keys';
import { type OrderNotes, openOrderNotes } from './order-notes';
import { type Orders, openOrders } from './orders';
import { openPosts } from './posts';
import { productFactsCache } from './product-facts';
import { openProducts } from './products';
import { resolveReferences } from './resolve';
import { saveOrders } from './save';
import { searchContent } from './search';
import { openStockroom } from './stock';
import { openTerms } from './terms';

/** Milliseconds between two looks for what was not confirmed, and orders taken at a time. */
const sweepEvery = 1_000;
const sweepBatch = 100;

/** The shop that keeps its orders and products itself (decisions.md section 5). */
export async function builtinConnector(deps: ServiceDeps, demoShop: boolean): Promise<Connector> {
  const parts = await openParts(deps);
  const { orders, keys, facts, handover, telemetry } = parts;
  if (demoShop) await seedDemoShop(parts);
  const relay = startHandover(handover, deps);
  return {
    resolve: async (input) => {
      const output = await resolveReferences(input, orders, keys, facts);
      telemetry.resolved(output.matches.map((match) => match?.by));
      return output;
    },
    get: async ({ ids }) => {
      const found = ids.length === 0 ? [] : await orders.byIds([...new Set(ids)]);
      return { orders: await facts.contexts(found.map(({ order }) => order)) };
    },
    search: (input) => searchContent(input, parts),
    customerFacts: (input) => customerFacts(input, parts),
    apply: (input) => applyCommands(input, parts),
    list: (input) => listOrders(input, orders, keys),
    view: async ({ id }) => ({ order: await view(id, parts) }),
    save: async ({ id, fields, cause }) => {
      const saved = await saveOrders([{ id, fields, path: '' }], cause, 'manual', parts);
      handover.entries([...saved.values()].map(({ document }) => document));
      return { order: await view(id, parts), created: saved.get(id)?.created ?? false };
    },
    import: async (input) => {
      const imported = await importAll(input, parts);
      telemetry.imported(imported.orders_imported, imported.products_imported);
      return imported;
    },
    changesDone: handover.changesDone,
    problems: async () => [],
    close: async () => {
      await relay.close();
      await handover.idle();
    },
  };
}

async function openParts(deps: ServiceDeps) {
  const { bus, store, clock } = deps;
  const telemetry = shopTelemetry(deps);
  const counters = await openCounters(store);
  const orders = await openOrders(store);
  const appliedCommands = await openAppliedCommands(store);
  const notes = await openOrderNotes(store);
  const keys = await openOrderKeys(store);
  const products = await openProducts(store);
  const customers = await openCustomers(store);
  const terms = await openTerms(store);
  const posts = await openPosts(store);
  const facts = productFactsCache(products, counters.productsRevision, clock);
  const stockroom = await openStockroom(store, products);
  const handover = makeHandover({ bus, clock, orders, stockroom, telemetry });
  return {
    orders,
    appliedCommands,
    notes,
    keys,
    products,
    customers,
    terms,
    posts,
    counters,
    facts,
    handover,
    telemetry,
    clock,
  };
}

function startHandover(handover: Handover, { clock, log }: ServiceDeps): Relay {
  return startRelay({
    name: 'shop handover',
    pending: (_olderThan, limit) => handover.due(limit),
    send: handover.again,
    every: sweepEvery,
    batch: sweepBatch,
    patience: 0,
    clock,
    log,
  });
}

async function view(id: number, { orders, notes }: { orders: Orders; notes: OrderNotes }) {
  const [document] = await orders.byIds([id]);
  if (!document) throw new ServiceError(404, 'svc_order_not_found', `There is no order ${id}.`);
  return { ...document.order, notes: await notes.ofOrder(id) };
}
