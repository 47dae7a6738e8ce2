import type { BusUnderTest, Subject } from './data';
import { eventConformance } from './events';
import { failureConformance } from './failures';
import { lifeConformance } from './life';
import { requestConformance } from './requests';

export { type BusUnderTest, givingUpLog } from './data';
export { type BlockableBus, deadlineConformance } from './deadlines';

/** Made for this suite: retries after 20 ms and then longer each time, an `ackWait` of 600 ms. */
export type BusFactory = () => Promise<BusUnderTest>;

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
