import type { Store } from '@order-automation/store';
import { type Inbox, openInbox } from './inbox';
import { openPayloads, type Payloads } from './payloads';
import { openQuota, type Quota } from './quota';
import { openTransmissions, type Transmissions } from './transmissions';

/** What the receiving path stores. */
export type Collections = {
  readonly inbox: Inbox;
  readonly payloads: Payloads;
  readonly transmissions: Transmissions;
  readonly quota: Quota;
};

/** Opens them. `quotaBytes`: most bytes of webhooks that nothing proves which are kept at once. */
export async function openCollections(store: Store, quotaBytes: number): Promise<Collections> {
  const payloads = await openPayloads(store);
  const [inbox, transmissions, quota] = await Promise.all([
    openInbox(store, payloads),
    openTransmissions(store),
    openQuota(store, quotaBytes),
  ]);
  return { inbox, payloads, transmissions, quota };
}
