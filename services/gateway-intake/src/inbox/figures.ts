import type { RequestOutput } from '@order-automation/contracts';
import type { Collections } from './collections';

export type InboxFigures = RequestOutput<'intake.figures.get.v1'>;

/** The one count of events that metrics, notifications, the interface and the console show. */
export async function inboxFigures({
  inbox,
  payloads,
}: Pick<Collections, 'inbox' | 'payloads'>): Promise<InboxFigures> {
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
