import { type ServiceDeps, startRelay } from '@order-automation/service';
import type { MissedWebhookDocument, MissedWebhooks } from '../collections/missed-webhooks';

/** Webhooks that wait for the store at a time: where the store is unavailable too, further ones are in the metric and the log alone. */
const maxWaiting = 5_000;

export type MissedRecorder = ReturnType<typeof recordMissed>;

/** Stores what was missed, some at a time and without holding up an answer. */
export function recordMissed(missed: Pick<MissedWebhooks, 'add'>, { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>) {
  const queue: MissedWebhookDocument[] = [];
  let unlogged = 0;
  const store = async (some: readonly MissedWebhookDocument[]): Promise<void> => {
    await missed.add(some);
    queue.splice(0, some.length);
  };
  const relay = startRelay<MissedWebhookDocument>({
    name: 'missed webhooks',
    pending: async (_now, limit) => {
      if (unlogged > 0)
        log.error({ webhooks: unlogged }, 'webhooks were not stored; their senders were answered success: false');
      unlogged = 0;
      return queue.slice(0, limit);
    },
    send: store,
    every: 1_000,
    batch: 200,
    clock,
    log,
  });
  return {
    add: (one: MissedWebhookDocument): void => {
      unlogged += 1;
      if (queue.length < maxWaiting) queue.push(one);
    },
    /** Stores what is left. */
    close: async (): Promise<void> => {
      await relay.close();
      await store([...queue]).catch((error: unknown) =>
        log.error({ err: error, webhooks: queue.length }, 'missed webhooks could not be listed'),
      );
    },
  };
}
