import { orderStatuses } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import { type AnyRecord, idField, type RecordOf } from './record-types';
import defaults from './site-records.json';

/** Records with keys for ids: a shop has a few of each. */
export const keyedTypes = ['role', 'order_status', 'payment_method', 'shipping_method'] as const;
export type KeyedType = (typeof keyedTypes)[number];

export type SiteRecordDocument = { readonly _id: string; readonly type: KeyedType; readonly record: AnyRecord };

const siteRecordIndexes: readonly IndexDescription[] = [{ name: 'type', key: { type: 1, _id: 1 } }];

/** Of one type; more are refused. */
export const maxSiteRecords = 1_000;
/** Milliseconds until a status that another instance wrote is noticed. What this instance writes is fresh at once. */
const statusesTtl = 1_000;

/** What WordPress calls an order that a clerk has just begun is among them. */
const hostStatuses: readonly string[] = [...orderStatuses, 'auto-draft'];

const documentId = (type: KeyedType, key: string): string => `${type}:${key}`;

export type SiteRecords = Awaited<ReturnType<typeof openSiteRecords>>;

/** What a WooCommerce shop has without anybody setting it up is there from the beginning; it can be changed and removed as any other. */
export async function openSiteRecords(store: Store, clock: Clock) {
  const documents = await store.collection<SiteRecordDocument>('site_records', siteRecordIndexes);
  let statuses: ReadonlySet<string> = new Set(hostStatuses);
  let readAt = Number.NEGATIVE_INFINITY;

  const all = async <T extends KeyedType>(type: T): Promise<RecordOf<T>[]> =>
    (await documents.find({ type }, { sort: { _id: 1 }, limit: maxSiteRecords }).toArray()).map(
      ({ record }) => record as RecordOf<T>,
    );
  const insert = async <T extends KeyedType>(type: T, records: readonly RecordOf<T>[]) =>
    insertNew(
      documents,
      records.map((record) => asDocument(type, record)),
    );
  return {
    documents,
    all,
    byId: async <T extends KeyedType>(type: T, key: string): Promise<RecordOf<T> | undefined> =>
      (await documents.findOne({ _id: documentId(type, key) }))?.record as RecordOf<T> | undefined,
    put: async <T extends KeyedType>(type: T, record: RecordOf<T>): Promise<void> => {
      const { _id, ...fields } = asDocument(type, record);
      if ((await insert(type, [record])).length > 0) await documents.updateOne({ _id }, { $set: fields });
      readAt = Number.NEGATIVE_INFINITY;
    },
    remove: async (type: KeyedType, key: string): Promise<void> => {
      await documents.deleteMany({ _id: documentId(type, key) });
      readAt = Number.NEGATIVE_INFINITY;
    },
    /** Those of the host platform and the shop's own, without prefix. */
    statuses: async (): Promise<ReadonlySet<string>> => {
      if (Math.abs(clock.now() - readAt) < statusesTtl) return statuses;
      readAt = clock.now();
      statuses = new Set([...hostStatuses, ...(await all('order_status')).map(({ key }) => key)]);
      return statuses;
    },
    /** What is there is left as it is. */
    seedDefaults: async (): Promise<void> => {
      for (const type of keyedTypes) await insert(type, defaults[type]);
    },
  };
}

function asDocument<T extends KeyedType>(type: T, record: RecordOf<T>): SiteRecordDocument {
  return { _id: documentId(type, String((record as AnyRecord)[idField(type)])), type, record };
}
