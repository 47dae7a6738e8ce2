import type { Message } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import type { Delivery, DeliveryDeps } from './delivery';

type Ended = Message<'evaluation.events-done.v1'>['data']['events'][number];
type Waiting = Message<'evaluation.events-waiting.v1'>['data']['events'][number];

const maxItems = 500;

type Parts = Pick<DeliveryDeps, 'clock' | 'collections' | 'telemetry'> & { readonly delivery: Pick<Delivery, 'done'> };

/** Marks events in the inbox that evaluation has finished, or waits with; what is reported together is one write. No finished event is published again. */
export function markEnds({ clock, collections: { inbox }, delivery, telemetry }: Parts) {
  const done = marking<Ended>(async (events) => {
    delivery.done(events.map(({ event_id }) => event_id));
    const dead = events.filter(({ outcome }) => outcome === 'dead').length;
    const closed = await inbox.finish(events, clock.now());
    telemetry.done('dead', dead);
    telemetry.done('done', Math.max(0, closed - dead));
  });
  const waiting = marking<Waiting>(async (events) => void (await inbox.wait(events, clock.now())));
  return {
    done: done.take,
    waiting: waiting.take,
    idle: async () => {
      await done.idle();
      await waiting.idle();
    },
  };
}

/** Marks those of our own events that messages are about. */
function marking<Event extends Ended | Waiting>(mark: (events: readonly Event[]) => Promise<void>) {
  const { add, idle } = batcher<Event, void>({ maxItems, concurrency: 1, run: mark });
  return {
    take: async (messages: readonly { readonly data: { readonly events: readonly Event[] } }[]): Promise<void> => {
      const events = messages.flatMap(({ data }) => data.events).filter(({ origin }) => origin === 'intake');
      await Promise.all(events.map(add));
    },
    idle,
  };
}
