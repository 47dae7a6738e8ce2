import type { Bus } from '@order-automation/bus';
import { type EventDone, type EventWaiting, message } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { isTransient } from '../failures';
import { coalesced } from './coalesce';

/** Tells the services that handed events over that they need not keep them. */
export type ReportDone = (done: EventDone) => Promise<void>;

/** Tells the services that handed events over for what these wait, and until when. */
export type ReportWaiting = (waiting: EventWaiting) => Promise<void>;

const maxItems = 200;

export function reportsPort(bus: Bus, clock: Clock): ReportDone {
  return coalesced<EventDone, void>({
    maxItems,
    concurrency: 4,
    isTransient,
    send: async (events) => {
      await bus.publish(message('evaluation.events-done.v1', { events: [...events] }, { now: clock.now() }));
      return events.map(() => undefined);
    },
  });
}

export function waitingPort(bus: Bus, clock: Clock): ReportWaiting {
  return coalesced<EventWaiting, void>({
    maxItems,
    concurrency: 4,
    isTransient,
    send: async (events) => {
      await bus.publish(message('evaluation.events-waiting.v1', { events: [...events] }, { now: clock.now() }));
      return events.map(() => undefined);
    },
  });
}
