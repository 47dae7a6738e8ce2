import type { Message } from '@order-automation/contracts';
import { batcher, type ServiceDeps } from '@order-automation/service';
import type { Inbox, WaitingEvent } from '../inbox/inbox';
import type { Telemetry } from '../telemetry';
import type { Delivery } from './delivery';

type Ended = Message<'evaluation.events-done.v1'>['data']['events'][number];
type Waiting = Message<'evaluation.events-waiting.v1'>['data']['events'][number];

/** What evaluation says of events: it has finished them, or waits with them. */
export type Ends = {
  done(messages: readonly Message<'evaluation.events-done.v1'>[]): Promise<void>;
  waiting(messages: readonly Message<'evaluation.events-waiting.v1'>[]): Promise<void>;
  idle(): Promise<void>;
};

type Parts = Pick<ServiceDeps, 'clock'> & {
  readonly collections: { readonly inbox: Inbox };
  readonly delivery: Pick<Delivery, 'done'>;
  readonly telemetry: Telemetry;
};

const maxItems = 500;

/** Marks events in the inbox: what is reported at one moment is one write. Nobody publishes a finished event again. */
export function markEnds({ clock, collections: { inbox }, delivery, telemetry }: Parts): Ends {
  const done = batcher<Ended, undefined>({
    maxItems,
    concurrency: 1,
    run: async (events) => {
      delivery.done(events.map(({ event_id }) => event_id));
      const dead = events.filter(({ outcome }) => outcome === 'dead').length;
      const closed = await inbox.finish(events, clock.now());
      telemetry.done('dead', dead);
      telemetry.done('done', Math.max(0, closed - dead));
      return events.map(() => undefined);
    },
  });
  const waiting = batcher<WaitingEvent, undefined>({
    maxItems,
    concurrency: 1,
    run: async (events) => {
      await inbox.wait(events, clock.now());
      return events.map(() => undefined);
    },
  });
  const ours = <E extends Ended | Waiting>(messages: readonly { readonly data: { readonly events: readonly E[] } }[]) =>
    messages.flatMap(({ data }) => data.events).filter(({ origin }) => origin === 'intake');
  return {
    done: async (messages) => void (await Promise.all(ours(messages).map(done.add))),
    waiting: async (messages) => void (await Promise.all(ours(messages).map(waiting.add))),
    idle: async () => {
      await done.idle();
      await waiting.idle();
    },
  };
}
