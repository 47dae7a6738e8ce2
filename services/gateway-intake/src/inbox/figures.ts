import type { RequestOutput } from '@order-automation/contracts';
import { secretEnds } from '../connections/secret-ends';
import type { DeliveryDeps } from '../delivery/delivery';
import type { Settings } from '../gateways/settings';
import type { Collections } from './collections';

type InboxFigures = RequestOutput<'intake.figures.get.v1'>;

/** The one count of events that metrics, notifications, the interface and the console show. */
export async function inboxFigures({ inbox, payloads }: Collections): Promise<InboxFigures> {
  const [unfinished, waiting, verifying, dead, held, oldest] = await Promise.all([
    inbox.count({ state: 'accepted' }),
    inbox.count({ state: 'waiting' }),
    inbox.count({ state: 'verifying' }),
    inbox.count({ state: 'dead' }),
    heldBySender(inbox),
    inbox.oldestAccepted(),
  ]);
  const [event] = oldest ? await payloads.join([oldest]) : [];
  return { unfinished, oldest_at: event?.event.receivedAt ?? null, waiting, verifying, dead, held };
}

/** Whose events wait for the end of a pause. */
async function heldBySender(inbox: Collections['inbox']): Promise<InboxFigures['held']> {
  const held: InboxFigures['held'] = [];
  for (;;) {
    const sender = await inbox.endpointWithHeldAfter(held.at(-1)?.sender ?? '');
    if (sender === undefined) return held;
    held.push({ sender, total: await inbox.countHeld(sender) });
  }
}

type Measured = Pick<Settings, 'endpoints' | 'senders'> & Pick<DeliveryDeps, 'clock' | 'collections' | 'telemetry'>;

/** Measures what is in the inbox, for graphs and alerts: nothing stays there unseen. */
export async function measure({ collections, endpoints, senders, clock, telemetry }: Measured): Promise<void> {
  telemetry.inbox(await inboxFigures(collections), clock.now());
  for (const [endpoint, { last_event_at }] of await endpoints.all())
    if (last_event_at !== undefined) telemetry.lastAccepted(endpoint, Date.parse(last_event_at) / 1000);
  telemetry.secretEnds(secretEnds(senders()));
}
