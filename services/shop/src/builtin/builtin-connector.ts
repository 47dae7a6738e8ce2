import type { Connector, ConnectorDeps } from '../connector';
import { startHandover } from '../orders/handover-relay';
import { orderNotFound } from '../refusals';
import { applySteps } from './apply-steps';
import { customerFacts } from './customer-facts';
import { seedDemoShop } from './demo-shop';
import { importLines } from './import';
import { listOrders } from './list';
import { missingRecords } from './missing-records';
import { type BuiltinConfig, type BuiltinParts, openParts } from './parts';
import { previewSteps } from './preview';
import { deleteRecord, getRecord, listRecords, putRecord } from './record-service';
import { createRefund, listRefunds } from './refunds';
import { resolveReferences } from './resolve';
import { saveOrder } from './save';
import { searchContent } from './search';

/** The shop that keeps its orders and products itself (decisions.md section 5). */
export async function builtinConnector(deps: ConnectorDeps, config: BuiltinConfig): Promise<Connector> {
  const parts = await openParts(deps, config);
  const { orders, facts, handover, telemetry } = parts;
  await once('site_furnished', parts.counters, parts.site.seedDefaults);
  await once('order_keys_filled', parts.counters, orders.fillKeys);
  if (config.demoShop) await seedDemoShop(parts);
  const relay = startHandover(handover, deps);
  return {
    resolve: (input) => resolveReferences(input, parts),
    get: async ({ ids }) => ({
      orders: await facts.contexts(ids.length === 0 ? [] : await orders.byIds([...new Set(ids)])),
    }),
    search: (input) => searchContent(input, parts),
    customerFacts: (input) => customerFacts(input, parts),
    apply: (input) => applySteps(input, parts),
    preview: (input) => previewSteps(input, parts),
    list: (input) => listOrders(input, orders),
    view: async ({ id }) => ({ order: await view(id, parts) }),
    save: async ({ id, fields, cause }) => {
      const { created } = await saveOrder({ id, fields }, { cause, source: 'manual', events: true }, parts);
      return { order: await view(id, parts), created };
    },
    listRefunds: (input) => listRefunds(input, parts),
    createRefund: (input) => createRefund(input, parts),
    missingRecords: (input) => missingRecords(input, parts),
    // Orders and customers are the shop's own records.
    erasePerson: async () => ({ erased: 0 }),
    listRecords: (input) => listRecords(input, parts),
    getRecord: (input) => getRecord(input, parts),
    putRecord: (input) => putRecord(input, parts),
    deleteRecord: (input) => deleteRecord(input, parts),
    import: async (input) => {
      const output = await importLines(input, parts);
      if (output.progress.state === 'done') telemetry.imported(output.progress);
      return output;
    },
    importProgress: async ({ id }) => ({ progress: await parts.imports.get(id) }),
    changesDone: handover.changesDone,
    problems: async () => [],
    close: relay.close,
  };
}

/** Once in the life of a shop: what is removed later stays removed. */
async function once(mark: string, counters: BuiltinParts['counters'], act: () => Promise<void>): Promise<void> {
  if (await counters.isMarked(mark)) return;
  await act();
  await counters.mark(mark);
}

async function view(id: number, { orders, notes }: BuiltinParts) {
  const [document] = await orders.byIds([id]);
  if (!document) throw orderNotFound(id);
  return { ...document.order, notes: await notes.ofOrder(id, document.notes) };
}
