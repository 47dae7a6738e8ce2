import { insertNew, type Store } from '@order-automation/store';

/** A webhook that was answered `success: false` through no fault of its sender. `_id` is its process id, which sorts by arrival. Of its contents nothing is kept. */
export type MissedWebhookDocument = {
  readonly _id: string;
  readonly at: string;
  readonly gateway: string;
  readonly connection: string | null;
  /** Of the sender. */
  readonly address: string;
  readonly reason: 'unavailable' | 'overloaded';
};

/** The latest that are kept. */
const maxMissed = 10_000;

export type MissedWebhooks = Awaited<ReturnType<typeof openMissedWebhooks>>;

/** `limit`: how many are kept. */
export async function openMissedWebhooks(store: Store, limit = maxMissed) {
  const documents = await store.collection<MissedWebhookDocument>('missed_webhooks');
  const page = (skip: number, count: number) => documents.find({}).sort({ _id: -1 }).skip(skip).limit(count).toArray();
  return {
    add: async (missed: readonly MissedWebhookDocument[]) => {
      await insertNew(documents, missed);
      const [oldest] = await page(limit, 1);
      if (oldest) await documents.deleteMany({ _id: { $lte: oldest._id } });
    },
    /** Newest first. */
    page,
    count: () => documents.countDocuments({}),
  };
}
