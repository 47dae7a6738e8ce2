import type { Bus } from '@order-automation/bus';
import { type EventDone, type EventWaiting, message } from '@order-automation/contracts';
import { batcher, type Clock } from '@order-automation/service';

/** Tells the services that handed events over that they need not keep them. */
export type ReportDone = (done: EventDone) => Promise<void>;

/** Tells the services that handed events over for what these wait, and until when. */
export type ReportWaiting = (waiting: EventWaiting) => Promise<void>;

/** What the same moment reports is one message. */
const reporting = <Report>(publish: (reports: Report[]) => Promise<void>): ((report: Report) => Promise<void>) =>
  batcher<Report, void>({ maxItems: 200, concurrency: 4, run: (reports) => publish([...reports]) }).add;

export const reportsPort = (bus: Bus, clock: Clock): ReportDone =>
  reporting((events) => bus.publish(message('evaluation.events-done.v1', { events }, { now: clock.now() })));

export const waitingPort = (bus: Bus, clock: Clock): ReportWaiting =>
  reporting((events) => bus.publish(message('evaluation.events-waiting.v1', { events }, { now: clock.now() })));
