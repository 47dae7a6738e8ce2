/// <reference types="jest" />
import { eventConformance } from './conformance-events';
import { failureConformance } from './conformance-failures';
import { lifeConformance } from './conformance-life';
import { requestConformance } from './conformance-requests';
import type { Bus, EventType } from './port';

export { type BlockableBus, deadlineConformance } from './conformance-deadlines';

/** A bus made for one test, with nothing on it. */
export type BusUnderTest = {
  readonly bus: Bus;
  /** Another connection to the same bus; the same one where there are no connections. */
  readonly other: Bus;
  /** Puts a text where messages of that type travel, past every check. */
  readonly inject: (type: EventType, text: string) => Promise<void>;
  /** The dead letters that the adapter keeps. */
  readonly kept: () => Promise<readonly { readonly id: string; readonly reason: string }[]>;
  dispose(): Promise<void>;
};

/** Made for this suite: retries after 20 ms and then longer each time, an `ackWait` of 600 ms. */
export type BusFactory = () => Promise<BusUnderTest>;

/** What the suites ask for: the bus of the test that runs. */
export type Subject = () => BusUnderTest;

/** Every guarantee of the port (port.ts), one test or more for each. Adapters run it with jest. */
export function busConformance(name: string, factory: BusFactory): void {
  describe(`${name} keeps the promises of the bus`, () => {
    let current: BusUnderTest | undefined;
    const subject: Subject = () => {
      if (!current) throw new Error('There is no bus outside of a test.');
      return current;
    };
    beforeEach(async () => {
      current = await factory();
    });
    afterEach(async () => {
      await current?.dispose();
      current = undefined;
    });
    eventConformance(subject);
    failureConformance(subject);
    requestConformance(subject);
    lifeConformance(subject);
  });
}
