import { type CommandResult, derivedId, type OrderStep } from '@order-automation/contracts';
import { deleteInPages, type IndexDescription, insertNew, type Store } from '@order-automation/store';

/** A step of a rule in the shop, stored before a note is written, because the order does not show that one was, and with its results at the end. */
export type StepDocument = {
  readonly _id: string;
  readonly order_id: number;
  readonly process_id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null until it is carried out. */
  readonly results: readonly CommandResult[] | null;
  /** Of a refund under a key, stored before it is written: its amount, and the refunds that the order had. */
  readonly refund?: { readonly amount: string; readonly before: readonly unknown[] };
};

const stepIndexes: readonly IndexDescription[] = [{ name: 'at', key: { at: 1 } }];

export const stepIdOf = ({ order_id, key }: Pick<OrderStep, 'order_id' | 'key'>): string =>
  `stp_${derivedId(order_id, key)}`;

export type StepJournal = Awaited<ReturnType<typeof openStepJournal>>;

export async function openStepJournal(store: Store) {
  const documents = await store.collection<StepDocument>('woocommerce_steps', stepIndexes);
  return {
    documents,
    find: (_id: string): Promise<StepDocument | null> => documents.findOne({ _id }),
    done: async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
      const found = ids.length === 0 ? [] : await documents.find({ _id: { $in: ids } }).toArray();
      return new Set(found.filter(({ results }) => results !== null).map(({ _id }) => _id));
    },
    begin: (document: StepDocument) => insertNew(documents, [document]),
    purge: (before: number) => deleteInPages(documents, { at: { $lt: before } }),
    after: (id: string, limit: number) => documents.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit }).toArray(),
    finish: async (document: StepDocument): Promise<void> => {
      const { _id, ...fields } = document;
      if ((await insertNew(documents, [document])).length > 0) await documents.updateOne({ _id }, { $set: fields });
    },
  };
}
