import { join } from 'node:path';
import { databaseName } from '@order-automation/service/run';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { headOf, type SealDocument } from '../../audit/src/chain/seals';
import { fitsDigest, type LogRecord as SealedRecord, sealedOf } from '../../audit/src/records/log-record';
import type { Evidence } from './kill-harness';

type Note = { readonly _id: string; readonly order_id: number; readonly note: string };
type Order = { readonly _id: number; readonly notes?: readonly Note[]; readonly order: ShopOrder };
type Product = { readonly _id: number; readonly product: { readonly stock_quantity: number | null } };
type LogRecord = {
  readonly _id: number;
  readonly process_id: string;
  readonly entries: readonly { readonly facet: string; readonly details?: { readonly transaction_id?: string } }[];
};
type Stateful = { readonly _id: string; readonly state: string };

/** Opens the databases of a product that may be running, and looks into them. */
export type OpenEvidence = Evidence & {
  /** What the shop has of each product now, and each order with its status and items. */
  shop(): Promise<{ readonly stock: ReadonlyMap<number, number | null>; readonly orders: readonly ShopOrder[] }>;
  /** The seals of the log whose head is not that of the entries which are there now; and entries that are not what their digest says. */
  badSeals(): Promise<string[]>;
  close(): Promise<void>;
};

type Item = { readonly product_id: number; readonly quantity: number };
export type ShopOrder = { readonly id: number; readonly status: string; readonly line_items: readonly Item[] };

/** The SQLite files of the embedded process. */
export function embeddedEvidence(dataDir: string): Promise<OpenEvidence> {
  return evidence((service) => sqliteStore({ file: join(dataDir, `${service}.sqlite`), thread: 'inline' }));
}

/** The MongoDB databases of a namespace of the distributed mode. */
export function distributedEvidence(uri: string, namespace: string): Promise<OpenEvidence> {
  const options = { uri, timeoutMS: readTimeout };
  return evidence((service) => mongoStore({ ...options, database: databaseName(namespace, service) }));
}

async function evidence(open: (service: string) => Promise<Store>): Promise<OpenEvidence> {
  const stores = await Promise.all(['shop', 'gateway-intake', 'evaluation', 'audit'].map(open));
  const [shop, intake, evaluation, audit] = stores as [Store, Store, Store, Store];
  const archived = await shop.collection<Note>('order_notes');
  const holders = await shop.collection<Order>('orders');
  const inbox = await intake.collection<Stateful>('inbox');
  const products = await shop.collection<Product>('products');
  const payloads = await intake.collection('payloads');
  const evaluations = await evaluation.collection<Stateful>('evaluations');
  return {
    notes: async (orders) => {
      const older = await archived.find({ order_id: { $in: orders } }).toArray();
      const recent = await holders.find({ _id: { $in: orders } }).toArray();
      // A note that is being moved stands in both places.
      const found = new Map([...older, ...recent.flatMap(({ notes = [] }) => notes)].map((note) => [note._id, note]));
      return [...found.values()].map(({ order_id, note }) => ({ order: order_id, text: note }));
    },
    shop: async () => ({
      stock: new Map((await products.find({}).toArray()).map(({ _id, product }) => [_id, product.stock_quantity])),
      orders: (await holders.find({}).toArray()).map(({ order }) => order),
    }),
    logged: () => logged(audit),
    badSeals: () => badSeals(audit),
    open: async () =>
      (await inbox.countDocuments({ state: 'accepted' })) +
      // Payloads without inbox documents, as b457727 has them.
      Math.max(0, (await payloads.countDocuments({})) - (await inbox.countDocuments({}))) +
      (await evaluations.countDocuments({ state: 'open' })),
    close: async () => {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

/** Milliseconds for one read, and records of one. */
const readTimeout = 60_000;
const pageSize = 500;

/** The transactions whose process has an entry about the reception and one about the outcome. */
async function logged(audit: Store): Promise<ReadonlySet<string>> {
  const records = await audit.collection<LogRecord>('records');
  const completed = new Set<string>();
  const received: { readonly process: string; readonly transaction: string }[] = [];
  for (let after = 0, more = true; more; ) {
    const page = await records
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    for (const { process_id, entries } of page) {
      for (const { facet, details } of entries) {
        if (facet.includes('process_completed')) completed.add(process_id);
        if (facet.includes('webhook_received') && details?.transaction_id)
          received.push({ process: process_id, transaction: details.transaction_id });
      }
    }
    after = page.at(-1)?._id ?? after;
    more = page.length === pageSize;
  }
  return new Set(received.flatMap(({ process, transaction }) => (completed.has(process) ? [transaction] : [])));
}

/** Needs no key: a head follows from the entries and the head before. */
async function badSeals(audit: Store): Promise<string[]> {
  const seals = await audit.collection<SealDocument>('seals');
  const records = await audit.collection<SealedRecord>('records');
  const wrong: string[] = [];
  let before = '';
  for (const seal of await seals.find({}).sort({ _id: 1 }).toArray()) {
    const range = { _id: { $gte: seal.from, $lt: seal.below } };
    const found = await records.find(range).sort({ _id: 1 }).toArray();
    if (headOf(before, seal, found.flatMap(sealedOf)) !== seal.head)
      wrong.push(`seal ${seal._id} is not that of its entries`);
    for (const record of found)
      if (!record.entries.every((_entry, at) => fitsDigest(record, at))) wrong.push(`record ${record._id} was altered`);
    before = seal.head;
  }
  return wrong;
}
